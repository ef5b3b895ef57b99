import { BlockList, isIPv4 } from 'node:net'

// Everything the IANA special-purpose registry (RFC 6890 and its updates) keeps off the public internet.
const specialIPv4 = new BlockList()
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]) {
  const [network = '', bits] = range.split('/')
  specialIPv4.addSubnet(network, Number(bits), 'ipv4')
}

/**
 * True for an IP address on the public internet. Private, loopback, link-local, metadata, shared, multicast,
 * documentation and reserved ranges are not, nor is text that is no IP address. IPv6 forms that carry an IPv4
 * address (mapped, NAT64, 6to4) are judged by that address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialIPv4.check(address, 'ipv4')
  const groups = ipv6Groups(address)
  if (groups === undefined) return false
  const [first = 0, second = 0, third = 0] = groups
  const lastIPv4 = ipv4Of(groups[6], groups[7])
  const leading = groups.slice(0, 6)
  if (leading.every((group, index) => group === (index === 5 ? 0xffff : 0))) return isPublicAddress(lastIPv4)
  if (first === 0x64 && second === 0xff9b && leading.slice(2).every((group) => group === 0))
    return isPublicAddress(lastIPv4)
  if (first === 0x2002) return isPublicAddress(ipv4Of(second, third))
  if (first < 0x2000 || first > 0x3fff) return false
  // Protocol assignments with Teredo, benchmarking and ORCHID; documentation.
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return false
  return !(first === 0x3fff && second < 0x1000)
}

/** The eight numbers of an IPv6 address, or undefined (also for one with a zone). */
function ipv6Groups(address: string): readonly number[] | undefined {
  const url = `http://[${address}]/`
  if (!URL.canParse(url)) return undefined
  // The URL parser writes every notation, a trailing IPv4 part included, as compressed hexadecimal groups.
  const [head = '', tail] = new URL(url).hostname.slice(1, -1).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16))
}

function ipv4Of(high = 0, low = 0): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
