//go:build !linux

package docker

func openDeleted(int) int64 { return 0 }

func oomKills() int64 { return 0 }

func oomLogged(string) (killed, readable bool) { return false, false }
