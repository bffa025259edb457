# Names that lead nowhere, a cycle, a computed index: there is an outline all the same.
locals {
  a = local.b
  b = [local.a, matrix.rw]
  c = matrix[local.a]
  d = test.fio
  e = nothing.at.all
  f = setup.none.there
}
matrix {
  axis "rw" {
    values = [1]
  }
}
