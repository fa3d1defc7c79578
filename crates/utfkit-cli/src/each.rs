//! One job for each input.

use std::io;

use crate::binaries::Binaries;
use crate::console::Console;
use crate::exit::Status;
use crate::failure::{Failure, Unreadable};
use crate::input::Input;
use crate::inputs::Inputs;
use crate::ordered::{self, Ticket};

/// Runs a job for each input, as [`ordered::run`] does, and prints why jobs fail.
pub(crate) fn each<W>(
    inputs: Inputs,
    threads: usize,
    console: Console,
    binaries: &Binaries,
    worker: impl Fn() -> W + Sync,
) -> io::Result<Status>
where
    W: FnMut(&Input, &mut Ticket<'_>) -> Result<Status, Failure>,
{
    ordered::run(inputs, threads, console, || {
        let mut work = worker();
        move |input: Result<Input, Unreadable>, ticket: &mut Ticket<'_>| {
            let (named, done) = match input {
                Ok(input) => (input.is_named(), work(&input, ticket)),
                Err(unreadable) => (true, Err(unreadable.into())),
            };
            done.unwrap_or_else(|failure| failure.tell(named, binaries, |message| ticket.complain(message)))
        }
    })
}
