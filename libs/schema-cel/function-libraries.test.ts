import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ArrayList, CelError, intType, listType, stringType, Work } from '../cel/index.js'
import { compileExpression } from './environment.js'

const libraries = suite('functions of newer servers')

const digest = 'sha256:6aefddb645ee6963afd681b1845c661d0ea4c3b20ab9db86d9e753b203d385f2'
const truths: Readonly<Record<string, readonly string[]>> = {
  'addresses as text': [
    'string(ip("2001:DB8:0:0::1")) == "2001:db8::1" && string(cidr("2001:DB8:0::/32")) == "2001:db8::/32"',
    'string(ip("10.0.0.1")) == "10.0.0.1" && string(cidr("10.0.0.1/8")) == "10.0.0.1/8"',
  ],
  sets: [
    'sets.contains([], []) && sets.contains([1, 2], []) && !sets.contains([], [1])',
    'sets.contains([1, 2, 3, 4], [2, 3]) && !sets.contains([1, 2], [2, 3])',
    'sets.contains([[1], [2, 3]], [[2, 3]]) && sets.contains([dyn(1)], [1.0])',
    'sets.equivalent([], []) && sets.equivalent([1], [1, 1]) && !sets.equivalent([1, 2], [1])',
    'sets.intersects([1], [1, 2]) && !sets.intersects([1], []) && !sets.intersects([1], [2])',
  ],
  'formatted strings': [
    '"%s is %d or %.2f".format(["a", 1, 2.5]) == "a is 1 or 2.50" && "100%%".format([]) == "100%"',
    '"%x %X %o %b".format([255, 255, 8, 5]) == "ff FF 10 101" && "%s".format([[1, 2]]) == "[1, 2]"',
    '"%e".format([1234.5678]) == "1.234568\u202f×\u202f10⁰³" && "%s".format([{"b": 1, "a": 2}]) == "{\\"a\\":2, \\"b\\":1}"',
    '"%.2f".format([1234567.891]) == "1,234,567.89" && "%s".format([["a"]]) == "[\\"a\\"]"',
    'strings.quote(\'a"b\') == \'"a\\\\"b"\'',
  ],
  'splitting and replacing strings': [
    '"hello hello hello".split(" ", 2) == ["hello", "hello hello"] && "a b".split(" ", 0) == []',
    '"a b c".split(" ", -1) == ["a", "b", "c"] && "abc".split("") == ["a", "b", "c"]',
    '"hello hello".replace("he", "we", 1) == "wello hello" && "a a".replace("a", "b", 0) == "a a"',
    '"hello hello".replace("he", "we", -1) == "wello wello" && "ab".replace("", "_") == "_a_b_"',
    'matches("abc", "^a.c$")',
  ],
  'semantic versions': [
    'semver("1.2.3").major() == 1 && semver("1.2.3").minor() == 2 && semver("1.2.3").patch() == 3',
    'semver("1.2.3").compareTo(semver("1.2.3")) == 0 && semver("1.2.3").compareTo(semver("2.0.0")) == -1',
    'semver("1.0.0-alpha.1").isLessThan(semver("1.0.0")) && semver("1.10.0").isGreaterThan(semver("1.9.0"))',
    'isSemver("0.1.0-alpha.1") && !isSemver("hello") && !isSemver("v1.0.0") && !isSemver("1.0") && !isSemver("01.0.0")',
    'semver("v1.0.0", true) == semver("1.0.0") && semver("1.0", true) == semver("1.0.0")',
    'semver("01.01.01", true) == semver("1.1.1") && isSemver("v1.0", true) && !isSemver("v1.0", false)',
    '!isSemver("1.0-alpha", true) && isSemver("1", true) && !isSemver(" 1.0.0", true)',
  ],
  formats: [
    '!format.dns1123Label().validate("my-label-name").hasValue() && format.dns1123Label().validate("a.b").hasValue()',
    'format.dns1123Label().validate("contains a space").value()[0].startsWith("a lowercase RFC 1123 label must consist of")',
    '!format.dns1123Subdomain().validate("apiextensions.k8s.io").hasValue()',
    '!format.dns1035Label().validate("my-label").hasValue() && format.dns1035Label().validate("1a").hasValue()',
    '!format.qualifiedName().validate("apiextensions.k8s.io/v1beta1").hasValue() && format.qualifiedName().validate("a/b/c").hasValue()',
    '!format.dns1123LabelPrefix().validate("my-prefix-").hasValue() && format.dns1123Label().validate("my-prefix-").hasValue()',
    '!format.dns1123SubdomainPrefix().validate("a.b-").hasValue() && !format.dns1035LabelPrefix().validate("a-").hasValue()',
    '!format.labelValue().validate("").hasValue() && format.labelValue().validate("-").hasValue()',
    '!format.uri().validate("http://example.com").hasValue() && format.uri().validate("example.com").hasValue()',
    '!format.uuid().validate("123e4567-e89b-12d3-a456-426614174000").hasValue()',
    'format.uuid().validate("1").value() == ["does not match the UUID format"]',
    '!format.byte().validate("aGVsbG8=").hasValue() && format.byte().validate("a").value() == ["invalid base64"]',
    '!format.date().validate("2021-01-01").hasValue() && format.date().validate("2021-02-30").value() == ["invalid date"]',
    '!format.datetime().validate("2021-01-01T00:00:00Z").hasValue() && format.datetime().validate("x").value() == ["invalid datetime"]',
    '!format.named("dns1123Label").value().validate("a").hasValue() && !format.named("unknown").hasValue()',
  ],
  'names of images': [
    'isImage("nginx") && isImage("registry.k8s.io/kube-apiserver-arm64:latest") && !isImage("registry.k8s.io//kube-apiserver")',
    '!isImage("") && !isImage("Upper/case") && !isImage("a/b:") && !isImage("a/b@sha256:12") && !isImage("a b")',
    'image("kube-apiserver:testtag").registry() == "index.docker.io" && image("nginx").repository() == "library/nginx"',
    'image("registry.k8s.io/a/kube:x").registry() == "registry.k8s.io" && image("localhost:5000/ab").registry() == "localhost:5000"',
    'image("registry.k8s.io/kube-apiserver").repository() == "kube-apiserver" && image("docker.io/a/b").registry() == "index.docker.io"',
    'image("registry.k8s.io/kube").tag() == "latest" && image("registry.k8s.io/kube:testtag").identifier() == "testtag"',
    `image("registry.k8s.io/kube:latest@${digest}").digest() == "${digest}" && image("kube@${digest}").tag() == ""`,
    `image("registry.k8s.io/kube:latest@${digest}").identifier() == "${digest}" && image("kube@${digest}").containsDigest()`,
    '!image("kube:1").containsDigest() && image("index.docker.io/library/nginx:latest") == image("nginx")',
  ],
  addresses: [
    'string(ip("192.168.0.1")) == "192.168.0.1" && string(cidr("10.0.0.0/8")) == "10.0.0.0/8"',
    '!isIP("01.2.3.4") && !isIP("::ffff:1.2.3.4") && !isIP("fe80::1%eth0") && isIP("::1")',
    '!isCIDR("::ffff:1.2.3.4/120") && !isCIDR("10.0.0.0/08") && isCIDR("::/0") && isCIDR("10.0.0.0/8")',
    'ip("2001:db8::abcd").family() == 6 && cidr("192.168.1.5/24").masked() == cidr("192.168.1.0/24")',
  ],
  URLs: [
    "url('https://example.com/path with spaces/').getEscapedPath() == '/path%20with%20spaces/'",
    "url('https://example.com:80/').getHost() == 'example.com:80' && !isURL('https://a b/')",
  ],
  'optional values': [
    '[1, 2].first().value() == 1 && [1, 2].last().value() == 2 && ![].first().hasValue()',
    'optional.unwrap([optional.of(1), optional.none(), optional.of(2)]) == [1, 2]',
    '[optional.of("a"), optional.none()].unwrapOpt() == ["a"]',
  ],
}
for (const [library, texts] of Object.entries(truths))
  libraries(library, () => {
    for (const text of texts) {
      const outcome = compileExpression(text, { variables: new Map() }).run({}, new Work({ cost: 1_000_000 }))
      assert.equal([text, outcome], [text, { value: true }])
    }
  })

const mistakes: Readonly<Record<string, RegExp>> = {
  'sets.contains([1], ["a"])': /no matching overload for 'sets.contains' applied to '\(list\(int\), list\(string\)\)'/,
  'sets.contains(1, [1])': /no matching overload/,
  '"%d".format(1)': /no matching overload for 'format' applied to 'string.\(int\)'/,
  'semver(1)': /no matching overload for 'semver'/,
  'semver("1.0.0").isLessThan(quantity("1"))':
    /no matching overload for 'isLessThan' applied to 'kubernetes.Semver.\(kubernetes.Quantity\)'/,
  'format.dns1123Label().validate(1)': /no matching overload for 'validate'/,
  'format.named("uuid").validate("a")': /no matching overload for 'validate'/,
  'format.bogus()': /undeclared reference/,
  '"a".matches("[")': /invalid matches argument: error parsing regexp/,
  'duration("abc") > duration("1s")': /invalid duration argument/,
  'timestamp("yesterday") == timestamp("today")': /invalid timestamp argument/,
}
libraries('are checked at compile time', () => {
  for (const [text, why] of Object.entries(mistakes))
    assert.throws(
      () => compileExpression(text, { variables: new Map() }),
      (error: Error) => error instanceof CelError && why.test(error.message),
      text,
    )
})

const failures: Readonly<Record<string, RegExp>> = {
  'image("a//b").tag() == ""': /could not parse reference: a\/\/b/,
  'semver("200K").major() == 1': /invalid semantic version: "200K"/,
  'semver("1.0-a", true).major() == 1': /short version cannot contain/,
  '"%d".format(dyn(["a"])) == "a"': /invalid integer value/,
  '"%s %s".format(dyn(["a"])) == "a"': /too few arguments/,
  '[].last().value() == 1': /optional.none\(\) dereference/,
}
libraries('fail with a clear error', () => {
  for (const [text, why] of Object.entries(failures)) {
    const outcome = compileExpression(text, { variables: new Map() }).run({}, new Work({ cost: 1_000_000 }))
    assert.match('error' in outcome ? outcome.error : '', why, text)
  }
})

libraries('cost no more than the estimate', () => {
  const many = new ArrayList(Array.from({ length: 500 }, (_, i) => BigInt(i)))
  const long = 'a'.repeat(10_000)
  const sizes: Readonly<Record<string, number>> = { many: 500, long: 10_000 }
  const options = {
    variables: new Map([
      ['many', listType(intType)],
      ['long', stringType],
    ]),
    sizeAt: (path: readonly string[]) => (path.length === 1 ? sizes[path[0]!] : undefined),
  }
  const costOf = (text: string) => {
    const program = compileExpression(text, options)
    const work = new Work({ cost: 10_000_000 })
    const outcome = program.run({ many, long }, work)
    assert.ok('value' in outcome, `${text}: ${JSON.stringify(outcome)}`)
    const spent = 10_000_000 - work.left
    assert.ok(program.maxCost >= spent, `${text} was estimated at ${program.maxCost} and cost ${spent}`)
    return spent
  }
  assert.is(costOf('sets.contains(many, many)'), 250_003)
  assert.is(costOf('sets.equivalent(many, many)'), 500_003)
  assert.ok(costOf('format.dns1123Subdomain().validate(long).hasValue()') >= 10_000)
  assert.ok(costOf('"%s%s%s".format([long, long, long])') > 0)
  for (const name of ['isSemver', 'isImage', 'isIP', 'isCIDR', 'isQuantity']) assert.is(costOf(`${name}(long)`), 1001)
  const outcome = compileExpression('sets.contains(many, many)', options).run(
    { many, long },
    new Work({ cost: 100_000 }),
  )
  assert.ok('error' in outcome && outcome.error.includes('cost'))
})

libraries.run()
