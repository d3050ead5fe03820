// Each statement once, and more.
global x = 0
global y = -3
global lock
global z = &x

proc cas(location, old, new)(success) {
  atomic {
    current = *location
    success = eq(current, old)
    failed = not(success)
    skip: {
      if (failed) break skip
      *location = new
    }
  }
}

proc take(lock)() {
  held = 1
  spin wait: {
    atomic {
      value = *lock acq
      *lock = held
    }
    if (value) continue wait
  }
  fence ll
  fence ls
}

proc work(argument, acq)(result) {
  p = &x
  o = new
  k = 1
  f = offset(o, k)
  *f = argument rel
  acq = *f
  acq = add(acq, k)
  fence? ss
  fence sc
  u = undefined
  q = [0 2 1]
  n = -1
  c = choose {0, 1, &y}
  cas(p, acq, c)(ok)
  outer: {
    inner: {
      if (ok) break outer
      if (n) continue inner
    }
  }
  assert (k)
  assume (k)
  result = copy(u)
}

initial {
  work(&x, 2)()
}
thread {
  work(choose {0, 1}, 2)()
  work'(undefined, [0 1])()
}
thread {
}
last {
  work(0, 0)()
}

proc compute(a, b)(m, d, r, and_, or_, xor_, s) {
  m = mul(a, b)
  d = div(a, b)
  r = rem(a, b)
  and_ = bitand(a, b)
  or_ = bitor(a, b)
  xor_ = bitxor(a, b)
  s = select(a, b, m)
}
