// Stands only behind stock.h.
namespace stock {

inline int rows(const Shelf &shelf) {
  int wide = shelf.room;
  return wide / 7;
}

} // namespace stock
