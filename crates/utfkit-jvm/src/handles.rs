//! Objects that outlive a call: to Java each is a number, so that a wrong one is an error and not a wild pointer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::env::Thrown;

pub(crate) struct Handles<T> {
    table: Mutex<Table<T>>,
}

struct Table<T> {
    /// The number of the next object. None is used twice.
    next: i64,
    objects: Option<HashMap<i64, Arc<Mutex<T>>>>,
}

fn broken(_: impl Sized) -> Thrown {
    Thrown::New(c"java/lang/IllegalStateException", "an earlier call of this object failed".to_owned())
}

impl<T> Handles<T> {
    pub(crate) const fn new() -> Handles<T> {
        Handles { table: Mutex::new(Table { next: 1, objects: None }) }
    }

    pub(crate) fn insert(&self, object: T) -> Result<i64, Thrown> {
        let mut table = self.table.lock().map_err(broken)?;
        let number = table.next;
        table.next += 1;
        table.objects.get_or_insert_default().insert(number, Arc::new(Mutex::new(object)));
        Ok(number)
    }

    pub(crate) fn with<R>(&self, number: i64, work: impl FnOnce(&mut T) -> Result<R, Thrown>) -> Result<R, Thrown> {
        let found =
            self.table.lock().map_err(broken)?.objects.as_ref().and_then(|objects| objects.get(&number).cloned());
        let object = found.ok_or_else(|| Thrown::New(c"java/lang/IllegalStateException", "it is closed".to_owned()))?;
        work(&mut *object.lock().map_err(broken)?)
    }

    pub(crate) fn remove(&self, number: i64) -> Result<Option<Arc<Mutex<T>>>, Thrown> {
        Ok(self.table.lock().map_err(broken)?.objects.as_mut().and_then(|objects| objects.remove(&number)))
    }
}
