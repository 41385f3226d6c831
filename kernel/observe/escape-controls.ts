/** Characters that JSON allows unescaped, but that some programs treat as line ends and terminals as commands. */
const risky = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/
const allRisky = new RegExp(risky, 'g')

/** Escapes characters in JSON text that could forge lines or control a terminal. The value stays the same. */
export const escapeControls = (json: string): string =>
  risky.test(json)
    ? json.replace(allRisky, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : json
