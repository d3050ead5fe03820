// Michael and Scott's two-lock queue (ms2); the fences that it needs beside those of its locks are candidates. A node has the fields next (0) and value (1).

global head
global tail
global head_lock = 0
global tail_lock = 0

// Figure 7. Rounds that find the lock held store what is there already.
proc lock(lock)() {
  held = 1
  spin wait: {
    atomic {
      value = *lock
      *lock = held
    }
    if (value) continue wait
  }
  fence ll
  fence ls
}

proc unlock(lock)() {
  free = 0
  fence ls
  fence ss
  atomic {
    value = *lock
    assert (value)
    *lock = free
  }
}

proc init_queue()() {
  null = 0
  next_index = 0
  node = new
  next_field = offset(node, next_index)
  *next_field = null
  head = &head
  tail = &tail
  *head = node
  *tail = node
}

proc enqueue(value)() {
  null = 0
  next_index = 0
  value_index = 1
  queue_tail = &tail
  tail_lock = &tail_lock
  node = new
  value_field = offset(node, value_index)
  next_field = offset(node, next_index)
  *value_field = value
  *next_field = null
  fence? ss
  lock(tail_lock)()
  tail = *queue_tail
  tail_next = offset(tail, next_index)
  *tail_next = node
  *queue_tail = node
  unlock(tail_lock)()
}

// The value is 0 if there is none.
proc dequeue()(is_some, value) {
  null = 0
  next_index = 0
  value_index = 1
  queue_head = &head
  head_lock = &head_lock
  value = 0
  lock(head_lock)()
  node = *queue_head
  node_next = offset(node, next_index)
  next = *node_next
  is_some = ne(next, null)
  is_empty = not(is_some)
  filled: {
    if (is_empty) break filled
    value_field = offset(next, value_index)
    fence? ll
    value = *value_field
    *queue_head = next
  }
  unlock(head_lock)()
}
