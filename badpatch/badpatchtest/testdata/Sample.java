package sample;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

class Sample {
    private final List<String> names = new ArrayList<>();
    private List<String> others;
    private int count;
    private int limit;

    Sample(int limit) {
        this(limit, true);
    }

    Sample(int limit, boolean strict) {
        this.limit = limit;
    }

    Sample add(String name, String other, int at) throws Exception {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("no name");
        }
        if (at <= limit && !names.contains(name)) {
            count += 1;
            names.add(name.trim().toLowerCase());
        } else if (at > 7) {
            others = new ArrayList<>(names);
        } else {
            names.set(at - 1, other);
        }
        synchronized (this) {
            this.count = at;
        }
        log.info("added " + name);
        return this;
    }

    int find(String text, String part, long from) {
        int start = (int) from;
        for (int i = 0; i < names.size(); i++) {
            if (text.startsWith(part)) {
                continue;
            }
            start = text.substring(start, i).indexOf(part);
        }
        switch (start) {
            case 1:
                start = 2;
                break;
            default:
                break;
        }
        return start * 2;
    }

    List<String> sorted(List<String> in, boolean ok) {
        List<String> out = new ArrayList<>(in);
        try {
            Collections.sort(out);
            helper(in, out, "^a+$".matches("^x\\."));
        } catch (IllegalStateException | NullPointerException e) {
            return null;
        } catch (RuntimeException e) {
            throw new IllegalStateException(e);
        }
        String s = new String(bytes, StandardCharsets.UTF_8);
        return ok ? out : in;
    }

    private void helper(List<String> a, List<String> b, boolean c) {
        helper(a, b, false);
    }

    private void helped(List<String> a, List<String> b, boolean c) {
        count = -count;
    }
}
