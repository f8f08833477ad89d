#include <algorithm>
#include <vector>

namespace sample {

class Table {
 public:
  Table(int width, bool strict = true) : width_(width) {}

  int area(int height, int scale = 1) const {
    if (height <= 0 || scale == 0) return 0;
    return width_ * height - scale;
  }

  int side(int height, int scale = 1) const { return height + 1; }

  bool insert(std::vector<int>& rows, const std::vector<int>& more, size_t at) {
    if (at > rows.size()) {
      throw std::out_of_range("at");
    } else if (at == 3) {
      ++count_;
    } else {
      count_ += 2;
    }
    std::sort(rows.begin(), rows.end());
    for (auto& row : rows) {
      if (row < 0 && !strict_) continue;
      row = area(row, at) % 7;
    }
    std::lock_guard<std::mutex> guard(mutex_);
    last_ = rows.back();
    LOG(INFO) << rows.size();
    return true;
  }

  const char* name(const char* given, const char* other) {
    size_t length = std::max(size(given), size(other));
    auto copy = length;
    switch (length) {
      case 0:
        return nullptr;
      default:
        break;
    }
    try {
      check(given, static_cast<int>(length));
    } catch (const std::invalid_argument& e) {
      last_ = 0;
    } catch (const std::exception& e) {
      return other;
    }
    std::string text(given);
    if (given != nullptr && text.find("x") > 1) this->last_ = this->count_;
    return text.substr(1, length).empty() ? "" : given;
  }

 private:
  int width_;
  int count_ = 0;
  int last_;
  bool strict_;
};

}  // namespace sample
