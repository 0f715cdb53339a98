package unpack

// crcTables are for eight bytes at once: the k-th is for a byte that k others follow.
var crcTables *[8][256]uint32

// CRC32 goes on with the checksum of gzip and zip files over b.
func CRC32(crc uint32, b []byte) uint32 {
	if crcTables == nil {
		crcTables = new([8][256]uint32)
		for i := range crcTables[0] {
			c := uint32(i)
			for range 8 {
				c = c>>1 ^ 0xedb88320&-(c&1)
			}
			crcTables[0][i] = c
		}
		for k := range 7 {
			for i, c := range crcTables[k] {
				crcTables[k+1][i] = c>>8 ^ crcTables[0][c&0xff]
			}
		}
	}
	t := crcTables
	crc = ^crc
	i := 0
	for ; i+8 <= len(b); i += 8 {
		v := load64(b, i) ^ uint64(crc)
		crc = t[7][v&0xff] ^ t[6][v>>8&0xff] ^ t[5][v>>16&0xff] ^ t[4][v>>24&0xff] ^
			t[3][v>>32&0xff] ^ t[2][v>>40&0xff] ^ t[1][v>>48&0xff] ^ t[0][v>>56]
	}
	for _, c := range b[i:] {
		crc = crc>>8 ^ t[0][byte(crc)^c]
	}
	return ^crc
}
