import java.util.HashSet;
import java.util.Set;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Runs classes with JUnit 4: properties, classes, folder of the report. */
public final class AssayJUnit extends RunListener {
  private final AssayReport report = new AssayReport();
  private final Set<Description> told = new HashSet<Description>();

  public static void main(String[] given) throws Exception {
    AssayReport.properties(given[0]);
    AssayJUnit listener = new AssayJUnit();
    JUnitCore core = new JUnitCore();
    core.addListener(listener);
    for (Class<?> c : AssayReport.classes(given[1])) core.run(c);
    listener.report.end(given[2]);
  }

  @Override public void testFailure(Failure f) {
    tell(f.getDescription(), f.getException(), false);
  }

  @Override public void testAssumptionFailure(Failure f) {
    tell(f.getDescription(), null, true);
  }

  @Override public void testIgnored(Description d) {
    tell(d, null, true);
  }

  @Override public void testFinished(Description d) {
    tell(d, null, false);
  }

  private synchronized void tell(Description d, Throwable thrown, boolean skipped) {
    if (!told.add(d)) return;
    String method = d.getMethodName();
    report.add(d.getClassName(), method == null ? d.getClassName() : method, thrown, skipped);
  }
}
