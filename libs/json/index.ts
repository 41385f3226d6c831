export { copyJson } from './copy-json.js'
export { own, setOwn, sortedKeys } from './own-property.js'
export { sameJson } from './same-json.js'
export { exceedsDepth, isObject, type JsonObject, quoted } from './values.js'
