#include <string>

namespace fix {

class Store {
 public:
  std::string clean(const std::string& name, int size) {
    std::string text = name;
    return text.substr(0, size);
  }

  std::string words(const std::string& line) {
    std::string text;
    text = clean(line, limit_);
    return text;
  }

  int count(const std::string& in, char of) {
    int found = 0;
    for (char c : in) {
      if (c == of) ++found;
    }
    return found;
  }

 private:
  int limit_ = 3;
};

}  // namespace fix
