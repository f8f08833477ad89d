#include <stdexcept>
#include <string>

namespace fix {

class Store {
 public:
  std::string clean(const std::string& name, int size) {
    if (name.empty()) {
      throw std::invalid_argument("name");
    }
    std::string text = trim(name);
    int width = 1;
    bool strict = true;
    if (size < 5 && strict) {
      width = size;
    } else {
      width = 5;
    }
    return text.substr(0, width);
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
  static std::string trim(const std::string& s) {
    return s.substr(s.find_first_not_of(' '));
  }

  int limit_ = 3;
};

}  // namespace fix
