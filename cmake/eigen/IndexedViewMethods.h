// Stands in the place of Eigen's file of this name (cmake/eigen.cmake): views of rows and columns that a list, Eigen::all or
// Eigen::seqN names. The types are Eigen's; but they are deduced where a view is made, while Eigen's 24
// declarations spell them for each type of expression there is. Left out are Eigen::last and its sums, and arrays of C.
template <typename Rows, typename Columns, typename = typename internal::enable_if<internal::valid_indexed_view_overload<Rows, Columns>::value>::type>
auto operator()(const Rows& rows, const Columns& columns) const {
  return view<const Derived>(derived(), rows, columns);
}
template <typename Rows, typename Columns, typename = typename internal::enable_if<internal::valid_indexed_view_overload<Rows, Columns>::value>::type>
auto operator()(const Rows& rows, const Columns& columns) {
  return view<Derived>(derived(), rows, columns);
}
template <typename List, typename = typename internal::enable_if<!internal::is_valid_index_type<List>::value>::type>
auto operator()(const List& list) const {
  return view<const Derived>(derived(), list);
}
template <typename List, typename = typename internal::enable_if<!internal::is_valid_index_type<List>::value>::type>
auto operator()(const List& list) {
  return view<Derived>(derived(), list);
}

protected:

template <int SizeHere, typename List>
static typename internal::IndexedViewCompatibleType<List, SizeHere>::type places(const List& list, Index size) {
  return internal::makeIndexedViewCompatible(list, internal::variable_if_dynamic<Index, SizeHere>(size), Specialized);
}
template <typename Of, typename Rows, typename Columns>
static auto view(Of& of, const Rows& rows, const Columns& columns) {
  using View = IndexedView<Of, typename internal::IndexedViewCompatibleType<Rows, RowsAtCompileTime>::type,
                           typename internal::IndexedViewCompatibleType<Columns, ColsAtCompileTime>::type>;
  using Traits = internal::traits<View>;
  const auto i = places<RowsAtCompileTime>(rows, of.rows());
  const auto j = places<ColsAtCompileTime>(columns, of.cols());
  if constexpr (static_cast<bool>(Traits::ReturnAsBlock))
    return typename Traits::BlockType(of, internal::first(i), internal::first(j), internal::size(i), internal::size(j));
  else
    return View(of, i, j);
}
template <typename Of, typename List>
static auto view(Of& of, const List& list) {
  EIGEN_STATIC_ASSERT_VECTOR_ONLY(Derived)
  using Type = typename internal::IndexedViewCompatibleType<List, SizeAtCompileTime>::type;
  using One = typename internal::IndexedViewCompatibleType<Index, 1>::type;
  const auto i = places<SizeAtCompileTime>(list, of.size());
  if constexpr (internal::get_compile_time_incr<Type>::value == 1)
    return VectorBlock<Of, internal::array_size<List>::value>(of, internal::first(i), internal::size(i));
  else if constexpr (static_cast<bool>(IsRowMajor))
    return IndexedView<Of, One, Type>(of, One(0), i);
  else
    return IndexedView<Of, Type, One>(of, i, One(0));
}

public:
