package bench

func isTaskFolder(path string) bool { return false }

func openTaskFolder(name string, want selector) (*source, error) { return nil, nil }
