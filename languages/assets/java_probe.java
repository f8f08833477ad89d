  private static void launch(String dir) throws Exception {
    StringBuilder shell = new StringBuilder();
    shell.append("cd ").append(quoted(System.getProperty("user.dir"))).append("\n");
    shell.append("J=").append(quoted(System.getProperty("java.home") + "/bin/java")).append("\n");
    shell.append("P=").append(quoted(classPath())).append("\nset --");
    for (Object argument : java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      shell.append(" ").append(quoted(String.valueOf(argument)));
    }
    java.io.FileOutputStream properties = new java.io.FileOutputStream(dir + "/properties");
    System.getProperties().store(properties, null);
    properties.close();
    java.io.FileOutputStream file = new java.io.FileOutputStream(dir + "/launch");
    file.write(shell.append("\n").toString().getBytes("UTF-8"));
    file.close();
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  private static String classPath() throws Exception {
    String given = System.getProperty("surefire.real.class.path", System.getProperty("java.class.path"));
    java.io.File jar = new java.io.File(given);
    if (!given.endsWith(".jar") || !jar.isFile()) return given;
    java.util.jar.JarFile open = new java.util.jar.JarFile(jar);
    String listed = open.getManifest().getMainAttributes().getValue("Class-Path");
    open.close();
    StringBuilder all = new StringBuilder();
    java.util.StringTokenizer entries = new java.util.StringTokenizer(listed);
    while (entries.hasMoreTokens()) {
      all.append(new java.io.File(new java.net.URI(jar.toURI().resolve(entries.nextToken()).toString())).getPath()).append(":");
    }
    return all.toString();
  }
