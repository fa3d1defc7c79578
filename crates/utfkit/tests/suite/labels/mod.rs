mod bom;
mod content_type;
mod html;
mod order;
mod xml;
