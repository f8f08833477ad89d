package fix;

import java.util.Objects;

class Store {
    private final int limit;
    private String last;

    Store(int limit) {
        this.limit = limit;
    }

    String clean(String name, int size) {
        if (name == null) {
            throw new IllegalArgumentException("name");
        }
        String text = name.trim();
        int width = 1;
        boolean strict = true;
        if (text.length() > size && strict) {
            width = size;
        } else {
            width = text.length();
        }
        last = Objects.toString(text);
        return text.substring(0, width);
    }

    String words(String line) {
        String text = "";
        text = clean(line, limit);
        return text;
    }

    int count(String in, char of) {
        int found = 0;
        for (int i = 0; i < in.length(); i++) {
            if (in.charAt(i) == of) {
                found++;
            }
        }
        return found;
    }
}
