# 轴, 情形, 标签都用中文.

spec {
  title = "固态盘的对比"
}

matrix {
  axis "硬盘" {
    baseline = "机械 盘"
    case "固态,六块" {
      label = "六块固态盘"
      容量    = "一TB"
    }
    case "机械 盘" {
      容量 = "2TB"
    }
  }
}

setup "storage_directory" "数据" {
  path = "/数据"
}

test "fio" "顺序" {
  directory = setup.storage_directory.数据.path
  label     = "容量: ${matrix.硬盘.容量}"
}

compare "硬盘" {
  measure = test.fio.顺序.bandwidth
  across  = "硬盘"
}

kpi "带宽" {
  measure = compare.硬盘.ratio
  min     = 2
  because = "固态盘至少快一倍"
}
