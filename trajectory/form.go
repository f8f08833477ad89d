package trajectory

// form reads the requests and answers of a protocol.
type form interface {
	conversation(request map[string]any) conversation
	// answer is what the model said; false where there is nothing.
	answer(response map[string]any) (message, bool)
}

func formOf(protocol string) (form, bool) {
	switch protocol {
	case "chat":
		return chatForm{}, true
	case "responses":
		return responsesForm{}, true
	case "messages":
		return messagesForm{}, true
	case "generate":
		return generateForm{}, true
	}
	return nil, false
}
