package llm

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseModel(t *testing.T) {
	tests := map[string]struct{ provider, model, err string }{
		"openai/gpt-5-mini":         {"openai", "gpt-5-mini", ""},
		"openrouter/qwen/qwen3-32b": {"openrouter", "qwen/qwen3-32b", ""},
		"Gemini/gemini-2.5-flash":   {"gemini", "gemini-2.5-flash", ""},
		"ollama/qwen2.5-coder:7b":   {"ollama", "qwen2.5-coder:7b", ""},
		"gpt-5":                     {err: "want provider/model"},
		"/gpt-5":                    {err: "want provider/model"},
		"openai/":                   {err: "want provider/model"},
		"":                          {err: "want provider/model"},
		"openai/gpt 5":              {err: "blanks"},
		"gemini/x?key=1":            {err: "blanks"},
		"gemini/../../v1/other":     {err: "dotted"},
		"openai/a//b":               {err: "dotted"},
		"openai/a/":                 {err: "dotted"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			provider, model, err := ParseModel(name)
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.provider, provider)
			require.Equal(t, tt.model, model)
		})
	}
}

func TestProvidersAreSortedAndWhole(t *testing.T) {
	names := ProviderNames()
	require.True(t, slices.IsSorted(names))
	for _, p := range Providers() {
		got, found := findProvider(p.Name)
		require.True(t, found)
		require.Equal(t, p, got)
		require.NotEmpty(t, p.KeyVars)
		require.NotEmpty(t, p.BaseVars)
		require.True(t, p.KeyOptional || strings.HasPrefix(p.BaseURL, "https://"), "%s: a key over http", p.Name)
	}
}

func TestResolve(t *testing.T) {
	type vars = map[string]string
	tests := map[string]struct {
		env, file vars
		model     string
		key, base string
		warning   string
		err       string
	}{
		"default base":             {env: vars{"OPENAI_API_KEY": "k1"}, model: "openai/x", key: "k1", base: "https://api.openai.com/v1"},
		"from the file":            {file: vars{"ANTHROPIC_API_KEY": "k2"}, model: "anthropic/x", key: "k2", base: "https://api.anthropic.com"},
		"environment wins":         {env: vars{"DEEPSEEK_API_KEY": "e"}, file: vars{"DEEPSEEK_API_KEY": "f"}, model: "deepseek/x", key: "e", base: "https://api.deepseek.com/v1", warning: ""},
		"empty variable is absent": {env: vars{"GROQ_API_KEY": " "}, file: vars{"GROQ_API_KEY": "f"}, model: "groq/x", key: "f", base: "https://api.groq.com/openai/v1"},
		"both of google's":         {env: vars{"GOOGLE_API_KEY": "a", "GEMINI_API_KEY": "b"}, model: "gemini/x", key: "a", base: "https://generativelanguage.googleapis.com", warning: "both GOOGLE_API_KEY and GEMINI_API_KEY are set: GOOGLE_API_KEY is used"},
		"both the same":            {env: vars{"GOOGLE_API_KEY": "a", "GEMINI_API_KEY": "a"}, model: "gemini/x", key: "a", base: "https://generativelanguage.googleapis.com"},
		"environment's alias wins": {env: vars{"GEMINI_API_KEY": "b"}, file: vars{"GOOGLE_API_KEY": "a"}, model: "gemini/x", key: "b", base: "https://generativelanguage.googleapis.com", warning: "both GEMINI_API_KEY and GOOGLE_API_KEY"},
		"base":                     {env: vars{"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "https://proxy.test/v1/", "OPENAI_API_BASE": "https://other.test"}, model: "openai/x", key: "k", base: "https://proxy.test/v1"},
		"base by its alias":        {env: vars{"OPENAI_API_KEY": "k", "OPENAI_API_BASE": "https://other.test/v1"}, model: "openai/x", key: "k", base: "https://other.test/v1"},
		"ollama without a key":     {model: "ollama/x", base: "http://localhost:11434/v1"},
		"ollama without a path":    {env: vars{"OLLAMA_BASE_URL": "http://box.test:11434"}, model: "ollama/x", base: "http://box.test:11434/v1"},
		"key in clear text":        {env: vars{"VLLM_BASE_URL": "http://box.test/v1", "VLLM_API_KEY": "k"}, model: "vllm/x", key: "k", base: "http://box.test/v1", warning: "unencrypted"},
		"key on loopback":          {env: vars{"VLLM_BASE_URL": "http://127.0.0.1:8000/v1", "VLLM_API_KEY": "k"}, model: "vllm/x", key: "k", base: "http://127.0.0.1:8000/v1"},
		"no key":                   {model: "gemini/x", err: "no key for gemini: set GOOGLE_API_KEY or GEMINI_API_KEY in the environment or in .env"},
		"no such provider":         {model: "nobody/x", err: `no provider "nobody"; known: anthropic, deepseek,`},
		"bad model":                {model: "x", err: "want provider/model"},
		"bad base":                 {env: vars{"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "proxy.test/sk-secret"}, model: "openai/x", err: "OPENAI_BASE_URL is not a URL"},
		"password in base":         {env: vars{"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "https://me:sk-secret@proxy.test"}, model: "openai/x", err: "OPENAI_BASE_URL: user, query"},
		"key in base":              {env: vars{"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "https://proxy.test?key=sk-secret"}, model: "openai/x", err: "user, query and fragment"},
		"unparsable base":          {env: vars{"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "https://%sk-secret"}, model: "openai/x", err: "OPENAI_BASE_URL is not a URL"},
		"blank in a key":           {env: vars{"OPENAI_API_KEY": "sk-secret sk-secret"}, model: "openai/x", err: "the key in OPENAI_API_KEY holds blanks"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Resolve(func(name string) string { return tt.env[name] }, tt.file, tt.model)
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				require.NotContains(t, err.Error(), "sk-secret")
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.key, got.Key.Reveal())
			require.Equal(t, tt.base, got.BaseURL)
			require.Equal(t, tt.model, got.Model)
			require.Contains(t, strings.Join(got.Warnings, "; "), tt.warning)
			require.Equal(t, tt.warning != "", len(got.Warnings) > 0, "%v", got.Warnings)
		})
	}
}

func TestParseDotenv(t *testing.T) {
	text := "\ufeff# settings\r\n\r\nexport OPENAI_API_KEY=sk-1 # mine\r\nA = 'x # y'\nB=\"a\\n\\\"b\\\" \\$c \\é\" # c\nC=\nD=a=b#c\nexport\tE=1\nA2='it\\'\nA=last\nF=# none\n_x9=\"\""
	got, err := ParseDotenv(".env", []byte(text))
	require.NoError(t, err)
	require.Equal(t, map[string]string{"OPENAI_API_KEY": "sk-1", "A": "last", "B": "a\n\"b\" $c \\é", "C": "", "D": "a=b#c", "E": "1",
		"A2": `it\`, "F": "", "_x9": ""}, got)

	tests := map[string]string{
		"A=1\nsk-secret":    "the.env:2: want NAME=value",
		"\n\n1A=sk-secret":  "the.env:3: the name before =",
		"=sk-secret":        "the.env:1: the name before =",
		"A='sk-secret":      "the.env:1: the quote is not closed",
		"A=\"sk-secret\\\"": "the.env:1: the quote is not closed",
		"A='sk-secret' b":   "the.env:1: text after the closing quote",
		"A B=sk-secret":     "the.env:1: the name before =",
		"A=sk-secret\x00":   "the.env:1: NUL",
		"export A":          "the.env:1: want NAME=value",
	}
	for text, want := range tests {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			_, err := ParseDotenv("the.env", []byte(text))
			require.ErrorContains(t, err, want)
			require.NotContains(t, err.Error(), "sk-secret")
		})
	}
}

func TestLoadDotenv(t *testing.T) {
	dir := t.TempDir()
	got, err := LoadDotenv(filepath.Join(dir, ".env"))
	require.NoError(t, err)
	require.Empty(t, got)
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".env"), []byte("A=1"), 0o600))
	got, err = LoadDotenv(filepath.Join(dir, ".env"))
	require.NoError(t, err)
	require.Equal(t, map[string]string{"A": "1"}, got)
	_, err = LoadDotenv(dir)
	require.ErrorContains(t, err, "reading settings")
}

func FuzzParseDotenv(f *testing.F) {
	for _, seed := range []string{"A=1", "export A='x' # c\nB=\"\\n\\\"\"", "A='", "\ufeff#\n=", "A=b #c", "a\x00=1"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		vars, err := ParseDotenv("f", data)
		if err != nil {
			require.Regexp(t, `^f:\d+: `, err.Error())
			return
		}
		for name, value := range vars {
			require.True(t, isVariable(name))
			quoted := "X='" + value + "'"
			if strings.ContainsAny(value, "'\n\r") {
				continue
			}
			again, err := ParseDotenv("f", []byte(quoted))
			require.NoError(t, err)
			require.Equal(t, value, again["X"])
		}
	})
}
