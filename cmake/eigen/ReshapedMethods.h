// Stands in the place of Eigen's file of this name (cmake/eigen.cmake): the same elements in another shape, in the order of columns.
// The types are Eigen's, deduced where they are used. Left out are shapes in another order.
template <typename Rows, typename Columns>
auto reshaped(Rows rows, Columns columns) const {
  return shape<const Derived>(derived(), rows, columns);
}
template <typename Rows, typename Columns>
auto reshaped(Rows rows, Columns columns) {
  return shape<Derived>(derived(), rows, columns);
}
auto reshaped() const { return Reshaped<const Derived, SizeAtCompileTime, 1>(derived(), size(), 1); }
auto reshaped() { return Reshaped<Derived, SizeAtCompileTime, 1>(derived(), size(), 1); }

protected:

template <typename Of, typename Rows, typename Columns>
static auto shape(Of& of, Rows rows, Columns columns) {
  return Reshaped<Of, internal::get_compiletime_reshape_size<Rows, Columns, SizeAtCompileTime>::value,
                  internal::get_compiletime_reshape_size<Columns, Rows, SizeAtCompileTime>::value>(
      of, internal::get_runtime_reshape_size(rows, internal::get_runtime_value(columns), of.size()),
      internal::get_runtime_reshape_size(columns, internal::get_runtime_value(rows), of.size()));
}

public:
