/** Code of malicious plugins, for isolation.test.ts: each is the body of a review. */

/** Code that ends its process, and the message in the status. */
export const deadly: Readonly<Record<string, readonly [code: string, message: RegExp]>> = {
  'an endless loop': ['for (;;) {}', /did not answer|does not answer|has not answered/],
  'a promise that never settles': ['return new Promise(() => {})', /did not answer/],
  'unbounded memory': [
    'const all = []; for (;;) all.push(new Array(1e5).fill(Math.random()))',
    /its process|did not answer/,
  ],
  'an error in a timer': ["setTimeout(() => { throw new Error('late') }); return new Promise(() => {})", /Error: late/],
  'a rejection that nobody handles': [
    "void Promise.reject(new Error('lost')); return new Promise(() => {})",
    /Error: lost/,
  ],
  'memory outside of the heap': [
    'const all = []; for (;;) all.push(Buffer.alloc(4e6, 1))',
    /MB of memory, and at most 192 are allowed|its process/,
  ],
  'an exit of its process': ['process.exit(7)', /exited with code 7/],
  'garbage on the link': [
    "fs.writeSync(3, 'garbage, and more of it'); return new Promise(() => {})",
    /a message of \d+ bytes/,
  ],
  'a list that is no list': [
    "const body = Buffer.from('{}'); const head = Buffer.alloc(4); head.writeUInt32BE(2); fs.writeSync(3, Buffer.concat([head, body])); return new Promise(() => {})",
    /a message that is not a list/,
  ],
  'a flood of messages': [
    "for (let i = 0; i < 60000; i++) logger.info('water'); return new Promise(() => {})",
    /messages in a second|a message of|did not answer/,
  ],
}

/** Code that does no harm, and the response to the request. */
export const harmless: Readonly<Record<string, readonly [code: string, answer: RegExp]>> = {
  'the environment': ["return 'sees ' + Object.keys(process.env).join()", /sees $/],
  'a prototype in its changes': [
    'request.object.data = JSON.parse(\'{"__proto__":{"polluted":"yes"},"constructor":"x"}\')',
    /^201|^50\d|^4\d\d/,
  ],
  'another http': ['http.Server.prototype.listen = http.request = () => { throw 1 }; return "patched"', /patched/],
  'an invalid verdict': ['return { rejected: true, message: 5 }', /^500 .*plugin "calm" failed/],
  'an invalid object': ['request.object.data = 5', /^500/],
  'an invalid name': ['request.object.metadata = []', /^500/],
  'a thrown value that is not an Error': ['throw null', /^500 .*plugin "calm" failed/],
  'prototypes of its own process': ["Object.prototype.polluted = 'yes'; Array.prototype.map = null", /^201|^50\d/],
}
