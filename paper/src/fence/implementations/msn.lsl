// Michael and Scott's nonblocking queue (msn), as in figure 9 of the paper; its seven fences are candidates. A node has the fields next (0) and value (1).

global head
global tail

// Figure 6: no implied fence.
proc cas(location, old, new)(success) {
  atomic {
    current = *location
    success = eq(current, old)
    failed = not(success)
    unchanged: {
      if (failed) break unchanged
      *location = new
    }
  }
}

proc init_queue()() {
  null = 0
  next = 0
  node = new
  next_field = offset(node, next)
  *next_field = null
  head = &head
  tail = &tail
  *head = node
  *tail = node
}

proc enqueue(value)() {
  yes = 1
  null = 0
  next_index = 0
  value_index = 1
  queue_tail = &tail
  node = new
  value_field = offset(node, value_index)
  next_field = offset(node, next_index)
  *value_field = value
  *next_field = null
  fence? ss // line 29
  retry: {
    tail = *queue_tail
    fence? ll // line 32
    tail_next = offset(tail, next_index)
    next = *tail_next
    fence? ll // line 34
    again = *queue_tail
    is_moved = ne(tail, again)
    if (is_moved) continue retry
    is_behind = ne(next, null)
    link: {
      if (is_behind) break link
      cas(tail_next, next, node)(is_linked)
      if (is_linked) break retry
      if (yes) continue retry
    }
    cas(queue_tail, tail, next)(is_advanced)
    if (yes) continue retry
  }
  fence? ss // line 44
  cas(queue_tail, tail, node)(is_advanced)
}

// The value is 0 if there is none.
proc dequeue()(is_some, value) {
  yes = 1
  null = 0
  next_index = 0
  value_index = 1
  queue_head = &head
  queue_tail = &tail
  return: {
    retry: {
      head = *queue_head
      fence? ll // line 53
      tail = *queue_tail
      fence? ll // line 55
      head_next = offset(head, next_index)
      next = *head_next
      fence? ll // line 57
      again = *queue_head
      is_moved = ne(head, again)
      if (is_moved) continue retry
      is_filled = ne(head, tail)
      empty: {
        if (is_filled) break empty
        is_some = ne(next, null)
        is_empty = not(is_some)
        value = 0
        if (is_empty) break return
        cas(queue_tail, tail, next)(is_advanced)
        if (yes) continue retry
      }
      value_field = offset(next, value_index)
      value = *value_field
      cas(queue_head, head, next)(is_some)
      is_late = not(is_some)
      if (is_late) continue retry
    }
  }
}
