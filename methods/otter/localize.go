package otter

import (
	"context"
	"slices"

	"assay/llm/prompts"
	"assay/methods/nearest"
	"assay/methods/outline"
)

// place is a file with functions in it.
type place struct {
	File      string   `json:"file"`
	Functions []string `json:"functions,omitempty"`
}

// located is what the localizer chose.
type located struct {
	tests, focal []place
}

// locate chooses tests and focal functions, each by two calls.
func (s *solver) locate(ctx context.Context) (located, error) {
	var found located
	files, err := s.repo.testFiles()
	if err != nil {
		return found, err
	}
	if found.tests, err = s.localize(ctx, "test", files); err != nil {
		return found, err
	}
	found.focal, err = s.localize(ctx, "focal", s.repo.sourceFiles())
	return found, err
}

// localize chooses files, then functions in them. what is test or focal.
func (s *solver) localize(ctx context.Context, what string, files []string) ([]place, error) {
	all := len(files)
	if files = bounded(files); len(files) < all {
		s.d.Note("list-"+what+"-files", nil, map[string]int{"files": all, "listed": len(files)})
	}
	if len(files) == 0 {
		s.d.Note("localize-"+what, nil, "there are no such files")
		return nil, nil
	}
	task, most := s.d.Task(), s.d.Count("files")
	answer, err := s.ask(ctx, what+"-files", prompts.OtterFiles, prompts.OtterFilesData{
		Repo: task.Repo, Problem: task.Problem, Language: s.repo.about.Title, Tests: what == "test", Files: files, Most: most,
	})
	if err != nil {
		return nil, err
	}
	picked, dropped := pick(fileLines(answer), files, most)
	s.d.Note("check-"+what+"-files", nil, map[string][]string{"valid": picked, "dropped": dropped})
	if len(picked) == 0 {
		return nil, nil
	}
	return s.localizeFunctions(ctx, what, picked, files)
}

// pick keeps the names of existing files, each once. Where all are invented, the
// file nearest to the first one stands for them.
func pick(named, files []string, most int) (picked, dropped []string) {
	for _, name := range named {
		switch {
		case !slices.Contains(files, name):
			dropped = append(dropped, name)
		case !slices.Contains(picked, name) && len(picked) < most:
			picked = append(picked, name)
		}
	}
	if len(picked) == 0 && len(dropped) > 0 {
		best, _ := nearest.To(dropped[0], files)
		picked = []string{best}
	}
	return picked, dropped
}

// localizeFunctions chooses functions of the files that were picked. Invented
// files are replaced by the nearest that was picked, invented functions by one
// of the file that is close, or dropped.
func (s *solver) localizeFunctions(ctx context.Context, what string, picked, files []string) ([]place, error) {
	task := s.d.Task()
	data := prompts.OtterFunctionsData{Repo: task.Repo, Problem: task.Problem, Language: s.repo.about.Title, Tests: what == "test"}
	for _, p := range picked {
		f, err := s.repo.open(p)
		if err != nil {
			return nil, err
		}
		if f != nil {
			data.Files = append(data.Files, prompts.Listing{Path: p, Functions: f.Names(what == "test")})
		}
	}
	answer, err := s.ask(ctx, what+"-functions", prompts.OtterFunctions, data)
	if err != nil {
		return nil, err
	}
	places, changes, err := s.resolve(choices(answer), picked, files)
	if err != nil {
		return nil, err
	}
	if len(places) == 0 {
		places = []place{{File: picked[0]}}
	}
	s.d.Note("check-"+what+"-functions", changes, places)
	return places, nil
}

// change is a name that does not exist and what was taken for it; "" for nothing.
type change struct {
	Name  string `json:"name"`
	Taken string `json:"taken"`
}

func (s *solver) resolve(chosen []choice, picked, files []string) (places []place, changes []change, err error) {
	for _, c := range chosen {
		file := c.File
		if !slices.Contains(files, file) {
			file, _ = nearest.To(c.File, picked)
			changes = append(changes, change{c.File, file})
		}
		f, err := s.repo.open(file)
		if err != nil {
			return nil, nil, err
		}
		at := slices.IndexFunc(places, func(p place) bool { return p.File == file })
		if at < 0 {
			places, at = append(places, place{File: file}), len(places)
		}
		if f == nil {
			continue
		}
		for _, list := range c.Functions {
			found, odd := functionsOf(f, list)
			changes = append(changes, odd...)
			for _, name := range found {
				if !slices.Contains(places[at].Functions, name) {
					places[at].Functions = append(places[at].Functions, name)
				}
			}
		}
	}
	return places, changes, nil
}

// mostMembers bounds how many functions of a class stand for it.
const mostMembers = 10

// functionsOf are the functions that a list of names means. The name of a class
// means its functions, one that does not exist a function that is close.
func functionsOf(f *outline.File, list string) (names []string, changes []change) {
	known := func(name string) bool { _, ok := f.Find(name); return ok }
	for _, name := range listed(list, known) {
		if members := f.Members(name); !known(name) && len(members) > 0 {
			for _, fn := range members[:min(len(members), mostMembers)] {
				names = append(names, fn.Name)
			}
			continue
		}
		fn, ok := f.FindClose(name)
		if !known(name) {
			changes = append(changes, change{name, fn.Name})
		}
		if ok {
			names = append(names, fn.Name)
		}
	}
	return names, changes
}

// listings are places as prompts show them.
func listings(places []place) []prompts.Listing {
	var out []prompts.Listing
	for _, p := range places {
		out = append(out, prompts.Listing{Path: p.File, Functions: p.Functions})
	}
	return out
}
