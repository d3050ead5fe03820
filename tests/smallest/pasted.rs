#[cdsspec::test(verdict = Violated)]
fn enq_enq_deq__deq__enq_enq_deq() {
    let queue = Arc::new(Queue::default());
    let (first, second) = (queue.clone(), queue.clone());
    // The one that matters.
    let third = thread::spawn(move || {
        second.enq(0);
    });
    queue.enq(0);
    queue.enq(1);
    let _ = queue.deq();
    third.join().expect("it does not panic");
}
