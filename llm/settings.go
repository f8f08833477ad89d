package llm

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Settings are what a client of one model is opened with.
type Settings struct {
	Provider Provider
	Model    string // as asked for, provider/model
	Key      Key
	// BaseURL is checked: http or https, with a host.
	BaseURL string
	// Warnings should be shown to a person; they never contain a secret.
	Warnings []string
}

// Resolve finds key and base URL of the model's provider. A variable of the
// environment wins over every one of the .env file (dotenv, which may be
// nil); an empty variable counts as absent. A key that is missing is an error
// that names the variables.
func Resolve(getenv func(string) string, dotenv map[string]string, model string) (Settings, error) {
	name, _, err := ParseModel(model)
	if err != nil {
		return Settings{}, err
	}
	provider, known := findProvider(name)
	if !known {
		return Settings{}, fmt.Errorf("model %q: no provider %q; known: %s", model, name, strings.Join(ProviderNames(), ", "))
	}
	s := Settings{Provider: provider, Model: model, BaseURL: provider.BaseURL}
	vars := variables{getenv, dotenv}
	if err := s.base(vars); err != nil {
		return Settings{}, err
	}
	return s, s.key(vars)
}

func (s *Settings) key(vars variables) error {
	names := s.Provider.KeyVars
	used, value, also := vars.first(names)
	if used == "" && !s.Provider.KeyOptional {
		return fmt.Errorf("no key for %s: set %s in the environment or in .env", s.Provider.Name, strings.Join(names, " or "))
	}
	s.Key = NewKey(value)
	if len(also) > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("both %s and %s are set: %s is used", used, strings.Join(also, ", "), used))
	}
	if strings.ContainsFunc(s.Key.Reveal(), func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fmt.Errorf("the key in %s holds blanks or characters that no key has", used)
	}
	if s.Key.Set() && clearText(s.BaseURL) {
		s.Warnings = append(s.Warnings, fmt.Sprintf("the key for %s goes over http, unencrypted", s.Provider.Name))
	}
	return nil
}

func (s *Settings) base(vars variables) error {
	used, value, _ := vars.first(s.Provider.BaseVars)
	if used == "" {
		return nil
	}
	u, err := url.Parse(strings.TrimRight(value, "/"))
	// The URL stays out of the message: it may carry a password.
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%s is not a URL of the form https://host/path", used)
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("%s: user, query and fragment are not allowed in a base URL", used)
	}
	if u.Path == "" {
		u.Path = s.Provider.Path
	}
	s.BaseURL = u.String()
	return nil
}

// variables looks names up in the environment, then in .env.
type variables struct {
	getenv func(string) string
	dotenv map[string]string
}

// first returns the first name that is set, its value, and which others are
// set too, to another value.
func (v variables) first(names []string) (used, value string, also []string) {
	fromFile := func(name string) string { return v.dotenv[name] }
	for _, source := range []func(string) string{v.getenv, fromFile} {
		for _, name := range names {
			found := strings.TrimSpace(source(name))
			switch {
			case found == "":
			case used == "":
				used, value = name, found
			case name != used && found != value && !slices.Contains(also, name):
				also = append(also, name)
			}
		}
	}
	return used, value, also
}

// clearText reports whether a URL sends without encryption to another machine.
func clearText(base string) bool {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() != "localhost" && (err != nil || !ip.IsLoopback())
}
