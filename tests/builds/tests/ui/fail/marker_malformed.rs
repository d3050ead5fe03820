struct Register;

#[cdsspec::spec]
impl Register {
    #[post_condition(true)]
    fn get(&self, val: i32) {
        #[op_define(val ==)]
        let _x = i32::abs(val);
        #[op_clear(val == 1, val)]
        let _x = val;
        #[potential_op]
        let _x = i32::abs(val);
        #[op_check(1)]
        let _x = val;
        #[potential_op(label condition)]
        let _x = i32::abs(val);
        #[potential_op(label, val ==)]
        let _x = i32::abs(val);
    }

    fn with_an_empty_list(&self, val: i32) {
        #[op_define()]
        let _x = i32::abs(val);
        #[cdsspec::op_clear { }]
        let _x = val;
        #[op_check()]
        let _x = val;
    }

    fn without_a_list(&self, val: i32) {
        #[op_define = "never"]
        let _x = i32::abs(val);
        #[op_define { val == 1 }]
        let _x = i32::abs(val);
        #[cdsspec::op_clear_define[val == 1]]
        let _x = i32::abs(val);
        #[op_clear = 1]
        let _x = val;
        #[potential_op = "label"]
        let _x = i32::abs(val);
        if val == 1 {
            #[op_check { label }]
            let _x = val;
        }
    }
}

fn main() {
    let _ = Register.get(1);
}
