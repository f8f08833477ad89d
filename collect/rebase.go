package collect

import (
	"fmt"

	"assay/internal/mirror"
)

// rebases gives commits that were copied one by one to the main line the pull
// requests that they come from. A copy keeps author, author's date and subject.
// unmerged are the commits of pull requests that the main line does not hold.
func (h *history) rebases(changes []found, unmerged []mirror.Commit) []found {
	heads, pulls := map[string]int{}, map[string]mirror.Commit{}
	for _, c := range unmerged {
		pulls[c.ID] = c
		if n := h.byHead[c.ID]; n > 0 {
			if _, twice := heads[copyKey(c)]; twice {
				n = 0 // two pull requests end in the same commit
			}
			heads[copyKey(c)] = n
		}
	}
	at := map[string]int{}
	for i, f := range changes {
		at[f.commit.ID] = i
	}
	gone := map[int]bool{}
	for i, f := range changes {
		n := heads[copyKey(f.commit)]
		if n == 0 || f.kind != Direct || f.nothing || gone[i] {
			continue
		}
		changes[i].kind, changes[i].number = Rebase, n
		h.join(changes, i, pulls, at, gone)
	}
	var out []found
	for i, f := range changes {
		if !gone[i] {
			out = append(out, f)
		}
	}
	return out
}

// join makes the earlier commits of the same pull request a part of the change.
func (h *history) join(changes []found, i int, pulls map[string]mirror.Commit, at map[string]int, gone map[int]bool) {
	original := pulls[h.pulls[changes[i].number]]
	copied := changes[i].commit
	for len(original.Parents) == 1 && len(copied.Parents) == 1 {
		before, ok := pulls[original.Parents[0]]
		below, known := at[copied.Parents[0]]
		if !ok || !known || changes[below].kind != Direct || changes[below].nothing || copyKey(changes[below].commit) != copyKey(before) {
			return
		}
		original, copied = before, changes[below].commit
		gone[below] = true
		changes[i].side = append(changes[i].side, copied.ID)
		changes[i].onto = changes[below].onto
	}
}

func copyKey(c mirror.Commit) string {
	return fmt.Sprintf("%s\n%d\n%s", c.Author, c.Authored.Unix(), c.Subject())
}
