export * from "../detect.js";
