package fix;

class Store {
    private final int limit;
    private String last;

    Store(int limit) {
        this.limit = limit;
    }

    String clean(String name, int size) {
        String text = name;
        return text.substring(0, size);
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
