# 中文规格: 轴, 情形, 标签和标题都用中文; 光标要停在正确的列上.

spec {
  title = "SAS 固态盘与 SATA 固态盘的对比"
}

matrix {
  axis "硬盘" {
    baseline = "机械" # want "Unknown case" "Axis \"硬盘\" has no case \"机械\""
    case "固态" {
      label = "六块 SAS 固态盘"
      容量    = "一TB"
    }
    case "机械盘" {
      label = "六块机械盘"
      容量    = "2TB"
    }
  }
  axis "读写" {
    values = ["read", "write"]
  }
  exclude {
    when   = 读写 == "write" && 硬盘 == 5
    #                           ^ want "Comparison of different types" "a string with a number"
    reason = "不测"
  }
}

locals {
  说明 = "容量: ${matrix.硬盘.容}"
  #                          ^ want "Unknown attribute" "matrix.硬盘 has no \"容\"." "\"容量\""
}

setup "storage_directory" "数据" {
  path = "/数据"
}

test "fio" "顺序" {
  directory = setup.storage_directory.数据.path
  label     = "中文${matrix.读}中文"
  #                        ^ want "Unknown axis" "There is no axis \"读\"."
  rw = "读" # want "rw is one of"
}

kpi "延迟" {
  measure = test.fio.顺序.延迟
  #                      ^ want "Unknown measure"
  max     = "5ms"
}

kpi "延迟二" {
  measure = test.fio.顺序.latency_p99
  max     = "5毫秒" # want "\"毫秒\" is not a unit"
}
