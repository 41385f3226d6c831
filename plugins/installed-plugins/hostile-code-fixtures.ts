/** Code of malicious plugins, for isolation.test.ts: each is the body of a review. */

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
