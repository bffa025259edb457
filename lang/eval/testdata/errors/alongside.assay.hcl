# What a test may list in alongside.
matrix {
  axis "n" {
    values = [1, 2]
  }
}

test "fake" "list" {
  alongside = test.fake.a # want "Not a list" "such as [test.fio.other]"
}

test "fake" "forms" {
  alongside = [test.fake.a.left, "x", test.fake, setup.fake_thing.s, test.fake.bb] # want "Not a test" want "Not a test" want "Not a test" want "Not a test" want "Unknown test" "Did you mean"
}

test "fake" "self" {
  alongside = [test.fake.self] # want "Alongside itself" "test.fake.self is this test"
}

test "fake" "twice" {
  alongside = [test.fake.a, test.fake.a]
  #                         ^ want "Listed twice" "test.fake.a is in this list already"
}

test "fake" "second" {
  alongside = [test.fake.a] # want "Two leaders" "test.fake.a runs alongside test.fake.twice already"
}

test "fake" "a" {
}

test "fake" "outer" {
  alongside = [test.fake.inner] # want "Companion that leads" "test.fake.inner lists others"
}

test "fake" "inner" {
  alongside = [test.fake.b]
}

test "fake" "b" {
  repeat = 3 # want "Set by the leader" "test.fake.b runs alongside test.fake.inner: as often" "Say repeat there"
  retry {    # want "Set by the leader" "Say retry there"
    attempts = 2
  }
}

test "fake" "leader" {
  alongside = [test.fake.imported]
}

test "fake" "imported" {
  import {
    path   = "results/notes.txt" # want "Imported beside what runs" "The results of test.fake.imported are imported, and test.fake.leader"
    format = "csv"
  }
}

test "fake" "imported_leader" {
  alongside = [test.fake.runs]
  import {
    path   = "results/notes.txt" # want "Imported beside what runs" "The results of test.fake.imported_leader are imported, and test.fake.runs"
    format = "csv"
  }
}

test "fake" "runs" {
}

# A companion cannot take what its leader leaves: they start together.
test "fake" "first" {
  alongside = [test.fake.taker]
}

test "fake" "taker" {
  thing = test.fake.first.left # want "Cycle" "test.fake.first → test.fake.first"
}

# Nor can one come after a test that comes after its leader.
test "fake" "one" {
  alongside = [test.fake.three]
}

test "fake" "two" {
  thing = test.fake.one.left # want "Cycle" "test.fake.one → test.fake.two → test.fake.one"
}

test "fake" "three" {
  thing = test.fake.two.left
}

test "fake" "often" {
  repeat    = 2
  alongside = [test.fake.often_too]
}

test "fake" "often_too" {
  thing = test.fake.a.left # want "Repeated too often" "test.fake.often_too has 2 repetitions and uses an output of test.fake.a, which has 1"
}

setup "fake_thing" "s" {
  alongside = [test.fake.a] # want "Unsupported argument"
}

# Rounds are as many as they need, and who starts together starts once.
test "fake" "steady_leader" {
  alongside = [test.fake.steady]
  steady_state { # want "Rounds beside others" "test.fake.steady_leader starts together with others"
    measure = "throughput"
  }
}

test "fake" "steady" {
  steady_state { # want "Rounds beside others" "test.fake.steady starts"
    measure = "throughput"
  }
}
