'use strict'
const { load } = require('../load-cached.cjs')
const { version, names } = require('./names.json')

/**
 * One sdk for the whole process: the copy that was loaded first. A plugin may bring another copy, whose entry point then returns the
 * first one, unless that has another major version or lacks a name that plugins of this copy may import. In that case both copies
 * are used, and each recognises the values of the other (sdk/plugin/across-copies.ts).
 */
const first = Symbol.for('orch.sdk')
const major = text => String(text).split('.')[0]
const fits = sdk => major(sdk.sdkVersion) === major(version) && names.every(name => name in sdk)

const earlier = globalThis[first]
if (earlier !== undefined && fits(earlier)) {
  module.exports = earlier
} else {
  module.exports = load('sdk/instance.cjs')
  if (earlier === undefined) Object.defineProperty(globalThis, first, { value: module.exports })
}
