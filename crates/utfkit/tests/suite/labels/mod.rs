mod bom;
mod code_pages;
mod content_type;
mod html;
mod order;
mod parsed;
mod xml;
