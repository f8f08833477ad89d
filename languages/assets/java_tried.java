  private static final Object UNFIT = new Object();

  // A test passes, which it must not, where the assertion took arguments and
  // none made it fail. Where it took none, nothing is known of it.
  private static void tried(String name, String method, String then) throws Throwable {
    Class<?> c = Class.forName(name);
    boolean returned = false;
    java.lang.reflect.Method[] all = c.getMethods();
    for (int i = 0; i < all.length; i++) {
      if (!all[i].getName().equals(method) || !java.lang.reflect.Modifier.isStatic(all[i].getModifiers())) continue;
      for (int v = 0; v < 6; v++) {
        Object made = invoked(all[i], null, v);
        if (made != UNFIT && then.length() == 0) returned = true;
        if (made == UNFIT || then.length() == 0 || made == null) continue;
        java.lang.reflect.Method[] next = made.getClass().getMethods();
        for (int k = 0; k < next.length; k++) {
          if (!next[k].getName().equals(then) || next[k].getReturnType() == Object.class && next[k].isBridge()) continue;
          for (int w = 0; w < 6; w++) returned |= invoked(next[k], made, w) != UNFIT;
        }
      }
    }
    if (!returned) throw new IllegalStateException(name + "." + method + " takes none of the arguments that were tried");
  }

  private static Object invoked(java.lang.reflect.Method m, Object on, int v) throws Throwable {
    Class<?>[] types = m.getParameterTypes();
    Object[] given = new Object[types.length];
    for (int i = 0; i < types.length; i++) given[i] = value(types[i], i, v);
    try {
      m.setAccessible(true);
      return m.invoke(on, given);
    } catch (java.lang.reflect.InvocationTargetException e) {
      Throwable t = e.getCause();
      if (t instanceof AssertionError || t.getClass().getName().endsWith("AssertionFailedError")) throw t;
      return UNFIT;
    } catch (Exception e) {
      return UNFIT;
    }
  }

  private static Object value(Class<?> type, int at, final int v) {
    int n = v % 2 == 0 ? 1 : at + 1;
    if (type == boolean.class || type == Boolean.class) return v % 3 == 0;
    if (type == int.class || type == Integer.class) return n;
    if (type == long.class || type == Long.class) return (long) n;
    if (type == short.class || type == Short.class) return (short) n;
    if (type == byte.class || type == Byte.class) return (byte) n;
    if (type == char.class || type == Character.class) return (char) ('a' + n);
    if (type == double.class || type == Double.class) return at > 1 ? 0.1 : (double) n;
    if (type == float.class || type == Float.class) return at > 1 ? 0.1f : (float) n;
    if (type == Class.class) return v % 2 == 0 ? IllegalArgumentException.class : String.class;
    if (type.isArray()) {
      Object a = java.lang.reflect.Array.newInstance(type.getComponentType(), n);
      return a;
    }
    if (v > 3 && !type.isInterface()) return null;
    if (type.isAssignableFrom(String.class)) return "a" + n;
    if (type.isAssignableFrom(java.util.ArrayList.class)) return new java.util.ArrayList<Object>(java.util.Collections.nCopies(n, "a"));
    if (type.isAssignableFrom(java.util.HashMap.class)) return new java.util.HashMap<Object, Object>(java.util.Collections.singletonMap("a", n));
    if (!type.isInterface()) return null;
    try {
      return java.lang.reflect.Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new java.lang.reflect.InvocationHandler() {
        public Object invoke(Object proxy, java.lang.reflect.Method m, Object[] given) {
          if (v % 2 == 1 && !m.getDeclaringClass().getName().startsWith("java.")) throw new IllegalStateException("odd");
          Class<?> r = m.getReturnType();
          return r == boolean.class ? (Object) false : r == int.class ? (Object) 0 : r == long.class ? (Object) 0L : r == String.class ? "" : null;
        }
      });
    } catch (RuntimeException e) {
      return null;
    }
  }
