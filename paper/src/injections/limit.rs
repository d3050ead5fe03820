//! How long the figure may take.

use crate::Outcome;
use std::time::Duration;

/// It takes less than that on two cores.
const FIGURE_8_MAX: Duration = Duration::from_secs(180);

/// It took less than it may.
///
/// # Errors
/// How long it took.
pub(super) fn check(took: Duration) -> Outcome {
    within(took, FIGURE_8_MAX)
}

fn within(took: Duration, max: Duration) -> Outcome {
    let [took_s, max_s] = [took, max].map(|duration| duration.as_secs_f64());
    println!("figure 8 takes {took_s:.0} s");
    if took < max {
        Ok(())
    } else {
        Err(format!("figure 8 takes {took_s:.0} s: less than {max_s:.0} s is wanted"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figure_8_has_a_limit() {
        assert_eq!(within(Duration::from_secs(179), FIGURE_8_MAX), Ok(()));
        let text = "figure 8 takes 180 s: less than 180 s is wanted";
        assert_eq!(within(Duration::from_secs(180), FIGURE_8_MAX), Err(text.to_owned()));
    }
}
