const units = ['bytes', 'kB', 'MB', 'GB']

/**
 * Decimal units, as disks and downloads are sold: 1117320768 is `1.12 GB`.
 * @param {number} bytes
 */
export function formatBytes(bytes) {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 ? value : value.toPrecision(3)} ${units[unit]}`
}
