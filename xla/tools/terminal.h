// Progress on a terminal, and only there.
#pragma once
#include <string>
#include <string_view>

namespace xla::tools {

// One line on standard error that is rewritten while work goes on and vanishes at the end. Does nothing when standard
// error is no terminal. Not thread-safe.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  void Show(std::string_view text);
  void Clear();

 private:
  bool terminal_;
  bool shown_ = false;
};

}  // namespace xla::tools
