/** Characters that JSON allows as they are, but that end a line for some programs, or command a terminal. */
const risky = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/
const allRisky = new RegExp(risky, 'g')

/** Escapes what could forge lines or command a terminal in a text of JSON, which stays the same JSON. */
export const escapeControls = (json: string): string =>
  risky.test(json)
    ? json.replace(allRisky, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : json
