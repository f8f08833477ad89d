package languages

// gates are the flags that switch off what judges the style, the licence or
// the packaging of a project in the phases up to its tests. A plugin that is
// not there does not read its flag.
func gates() []string {
	return []string{
		"-Danimal.sniffer.skip=true",
		"-Dapache.rat.skip=true",
		"-Dbasepom.check.skip-all=true",
		"-Dcheckstyle.skip=true",
		"-Dcpd.skip=true",
		"-Dcyclonedx.skip=true",
		"-Ddependency-check.skip=true",
		"-Denforcer.skip=true",
		"-Dfindbugs.skip=true",
		"-Dfmt.skip=true",
		"-Dforbiddenapis.skip=true",
		"-Dformatter.skip=true",
		"-Dgpg.skip=true",
		"-Dimpsort.skip=true",
		"-Djacoco.haltOnFailure=false",
		"-Djapicmp.skip=true",
		"-Dlicense.skip=true",
		"-Dmaven.compiler.failOnWarning=false",
		"-Dmaven.javadoc.skip=true",
		"-Dmaven.site.skip=true",
		"-Dmaven.source.skip=true",
		"-Dmdep.analyze.skip=true",
		"-Dossindex.skip=true",
		"-Dpmd.skip=true",
		"-Drat.skip=true",
		"-Drevapi.skip=true",
		"-Dskip.npm=true",
		"-Dsort.skip=true",
		"-Dspotbugs.skip=true",
		"-Dspotless.apply.skip=true",
		"-Dspotless.check.skip=true",
		"-Dtidy.skip=true",
		"-Dxml.skip=true",
	}
}
