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

  // An agent adds its own archive behind the one that Surefire starts with.
  private static String classPath() throws Exception {
    String given = System.getProperty("surefire.real.class.path", System.getProperty("java.class.path"));
    StringBuilder all = new StringBuilder();
    java.util.StringTokenizer entries = new java.util.StringTokenizer(given, java.io.File.pathSeparator);
    while (entries.hasMoreTokens()) {
      String entry = entries.nextToken();
      java.io.File file = new java.io.File(entry);
      all.append(file.getName().startsWith("surefirebooter") && file.isFile() ? listed(file) : entry + ":");
    }
    return all.toString();
  }

  private static String listed(java.io.File jar) throws Exception {
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
