import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs classes with JUnit's platform: properties, classes, folder of the report. */
public final class AssayPlatform implements TestExecutionListener {
  private final AssayReport report = new AssayReport();

  public static void main(String[] given) throws Exception {
    AssayReport.properties(given[0]);
    AssayPlatform listener = new AssayPlatform();
    LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
    for (Class<?> c : AssayReport.classes(given[1])) request.selectors(DiscoverySelectors.selectClass(c));
    LauncherFactory.create().execute(request.build(), listener);
    listener.report.end(given[2]);
  }

  @Override public void executionSkipped(TestIdentifier id, String reason) {
    tell(id, null, true);
  }

  @Override public void executionFinished(TestIdentifier id, TestExecutionResult result) {
    Throwable thrown = result.getThrowable().orElse(null);
    boolean aborted = result.getStatus() == TestExecutionResult.Status.ABORTED;
    if (id.isTest() || thrown != null) tell(id, aborted ? null : thrown, aborted);
  }

  private void tell(TestIdentifier id, Throwable thrown, boolean skipped) {
    TestSource source = id.getSource().orElse(null);
    if (source instanceof MethodSource) {
      MethodSource method = (MethodSource) source;
      String name = id.getLegacyReportingName();
      report.add(method.getClassName(), name.startsWith(method.getMethodName()) ? name : method.getMethodName(), thrown, skipped);
    } else if (source instanceof ClassSource) {
      String name = ((ClassSource) source).getClassName();
      report.add(name, name, thrown, skipped);
    }
  }
}
