export { patternSize } from './pattern-size.js'
