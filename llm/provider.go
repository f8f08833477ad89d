package llm

import (
	"slices"
	"strings"
)

// Protocol is the wire format that a provider speaks.
type Protocol string

// The protocols, each served by a sub-package of the same name.
const (
	ProtocolOpenAI    Protocol = "openai" // chat completions
	ProtocolAnthropic Protocol = "anthropic"
	ProtocolGemini    Protocol = "gemini"
)

// Provider describes where a provider is found and which variables set it up.
type Provider struct {
	Name     string
	Protocol Protocol
	BaseURL  string   // default
	BaseVars []string // variables that replace BaseURL, first wins
	KeyVars  []string // variables that hold the key, first wins
	// KeyOptional is set for servers that run without keys.
	KeyOptional bool
	// Path is added to a base URL that has none.
	Path string
}

// Providers returns the table of known providers, sorted by name. They are
// the owners of the three protocols and OpenAI-compatible servers, so that
// adding a server means adding a row.
func Providers() []Provider {
	return []Provider{
		{Name: "anthropic", Protocol: ProtocolAnthropic, BaseURL: "https://api.anthropic.com",
			BaseVars: []string{"ANTHROPIC_BASE_URL"}, KeyVars: []string{"ANTHROPIC_API_KEY"}},
		{Name: "deepseek", Protocol: ProtocolOpenAI, BaseURL: "https://api.deepseek.com/v1",
			BaseVars: []string{"DEEPSEEK_BASE_URL", "DEEPSEEK_API_BASE"}, KeyVars: []string{"DEEPSEEK_API_KEY"}},
		{Name: "gemini", Protocol: ProtocolGemini, BaseURL: "https://generativelanguage.googleapis.com",
			BaseVars: []string{"GOOGLE_GEMINI_BASE_URL"}, KeyVars: []string{"GOOGLE_API_KEY", "GEMINI_API_KEY"}},
		{Name: "groq", Protocol: ProtocolOpenAI, BaseURL: "https://api.groq.com/openai/v1",
			BaseVars: []string{"GROQ_BASE_URL"}, KeyVars: []string{"GROQ_API_KEY"}},
		{Name: "mistral", Protocol: ProtocolOpenAI, BaseURL: "https://api.mistral.ai/v1",
			BaseVars: []string{"MISTRAL_BASE_URL"}, KeyVars: []string{"MISTRAL_API_KEY"}},
		{Name: "ollama", Protocol: ProtocolOpenAI, BaseURL: "http://localhost:11434/v1", Path: "/v1", KeyOptional: true,
			BaseVars: []string{"OLLAMA_BASE_URL"}, KeyVars: []string{"OLLAMA_API_KEY"}},
		{Name: "openai", Protocol: ProtocolOpenAI, BaseURL: "https://api.openai.com/v1",
			BaseVars: []string{"OPENAI_BASE_URL", "OPENAI_API_BASE"}, KeyVars: []string{"OPENAI_API_KEY"}},
		{Name: "openrouter", Protocol: ProtocolOpenAI, BaseURL: "https://openrouter.ai/api/v1",
			BaseVars: []string{"OPENROUTER_BASE_URL", "OPENROUTER_API_BASE"}, KeyVars: []string{"OPENROUTER_API_KEY"}},
		{Name: "together", Protocol: ProtocolOpenAI, BaseURL: "https://api.together.xyz/v1",
			BaseVars: []string{"TOGETHER_BASE_URL"}, KeyVars: []string{"TOGETHER_API_KEY", "TOGETHERAI_API_KEY"}},
		{Name: "vllm", Protocol: ProtocolOpenAI, BaseURL: "http://localhost:8000/v1", Path: "/v1", KeyOptional: true,
			BaseVars: []string{"VLLM_BASE_URL"}, KeyVars: []string{"VLLM_API_KEY"}},
		{Name: "xai", Protocol: ProtocolOpenAI, BaseURL: "https://api.x.ai/v1",
			BaseVars: []string{"XAI_BASE_URL", "XAI_API_BASE"}, KeyVars: []string{"XAI_API_KEY"}},
	}
}

// ProviderNames returns the names of Providers, sorted.
func ProviderNames() []string {
	var names []string
	for _, p := range Providers() {
		names = append(names, p.Name)
	}
	return names
}

func findProvider(name string) (Provider, bool) {
	all := Providers()
	i, found := slices.BinarySearchFunc(all, name, func(p Provider, name string) int { return strings.Compare(p.Name, name) })
	if !found {
		return Provider{}, false
	}
	return all[i], true
}
