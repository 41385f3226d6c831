import { StreamLanguage } from '@codemirror/language'

/** Enough of JSON to color it; it is only read here. */
export const json = StreamLanguage.define<null>({
  token(stream) {
    if (stream.eatSpace()) return null
    if (stream.match(/^"(?:[^"\\]|\\.)*"(?=\s*:)/)) return 'propertyName'
    if (stream.match(/^"(?:[^"\\]|\\.)*"/)) return 'string'
    if (stream.match(/^-?\d[\d.eE+-]*/)) return 'number'
    if (stream.match(/^(?:true|false|null)\b/)) return 'atom'
    stream.next()
    return null
  },
})
