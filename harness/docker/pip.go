package docker

import (
	"bytes"
	"os"
	"slices"
	"strings"
)

// pip passes on where pip gets packages from: from its configuration files
// (later ones win) and then its variables. Everything is passed as
// variables, as these win over what an image configures.
func (h *hostSettings) pip() {
	values := map[string]string{}
	for _, p := range []string{"/etc/pip.conf", home(".pip/pip.conf"), home(".config/pip/pip.conf"), os.Getenv("PIP_CONFIG_FILE")} {
		if data, err := os.ReadFile(p); p != "" && err == nil {
			for k, v := range pipConfig(data) {
				values[k] = v
			}
		}
	}
	for _, key := range pipKeys() {
		name := "PIP_" + strings.ToUpper(strings.ReplaceAll(key, "-", "_"))
		value := values[key]
		if v := os.Getenv(name); v != "" {
			value = v
		}
		// A directory of the host means nothing in a container.
		if value != "" && (key != "find-links" || strings.Contains(value, "://")) {
			h.env = append(h.env, name+"="+value)
		}
	}
	h.env = append(h.env, "PIP_NO_CACHE_DIR=1", "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_ROOT_USER_ACTION=ignore")
}

// pipKeys are the settings for where packages come from.
func pipKeys() []string {
	return []string{"index-url", "extra-index-url", "find-links", "trusted-host", "proxy", "timeout", "default-timeout", "retries"}
}

// pipConfig reads the sections [global] and [install] of a pip.conf, an INI
// file in which indented lines continue a value.
func pipConfig(data []byte) map[string]string {
	values := map[string]string{}
	section, key := "", ""
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(string(line))
		switch {
		case text == "" || strings.HasPrefix(text, "#") || strings.HasPrefix(text, ";"):
		case strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]"):
			section, key = text[1:len(text)-1], ""
		case line[0] == ' ' || line[0] == '\t':
			if key != "" {
				values[key] = strings.TrimSpace(values[key] + " " + text)
			}
		default:
			key = pipKey(section, text, values)
		}
	}
	return values
}

// pipKey takes one "key = value" and returns the key when it is one that
// assay sets.
func pipKey(section, text string, values map[string]string) string {
	at := strings.IndexAny(text, "=:")
	if at < 0 || (section != "global" && section != "install") {
		return ""
	}
	key := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(text[:at])), "_", "-")
	if !slices.Contains(pipKeys(), key) {
		return ""
	}
	values[key] = strings.TrimSpace(text[at+1:])
	return key
}
