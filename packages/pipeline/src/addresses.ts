/** Web and library addresses in a text, without the punctuation around them. Global: for `matchAll` and `replace`. */
export const addressPattern = /(?:https?|file):\/\/[^\s<>"'`)\]}]*[^\s<>"'`)\]}.,;:!?*]/g
