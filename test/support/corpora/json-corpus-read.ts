/**
 * What every JSON reader takes, and what each takes in its own way: our own writing of each case that JSONTestSuite names
 * `y_` and `i_`. Written as in `json-corpus-refused.ts`.
 */
export const soundJson = String.raw`
array_arraysWithSpaces [["m1"]   ]
array_empty-string ["",""]
array_empty [ ]
array_ending_with_newline ["m1"%0A]
array_false [false,false]
array_heterogeneous ["m1", null, 7, {"id":"m2"}]
array_null [null,null]
array_with_1_and_newline ["m1",7%0A]
array_with_leading_space %20["m1"]
array_with_several_null ["m1",null,null,"m2"]
array_with_trailing_space ["m1"]%20
number [789e56]
number_0e+1 [0e+7]
number_0e1 [0e7]
number_after_space [ 7]
number_double_close_to_zero [-0.{70*0}7]
number_int_with_exp [7e2]
number_minus_zero [-0,0]
number_negative_int [-789]
number_negative_one [-1,7]
number_negative_zero [-0.0]
number_real_capital_e [7E12]
number_real_capital_e_neg_exp [7E-3]
number_real_capital_e_pos_exp [7E+3]
number_real_exponent [789e34]
number_real_fraction_exponent [7.25e61]
number_real_neg_exp [7e-3]
number_real_pos_exponent [7e+3]
number_simple_int [789]
number_simple_real [7.25]
object {"id":"m1", "message":"hello"}
object_basic {"id":"m1"}
object_duplicated_key {"id":"m1","id":"m2"}
object_duplicated_key_and_value {"id":"m1","id":"m1"}
object_empty { }
object_empty_key {"":"m1"}
object_escaped_null_in_key {"id\u0000x": "m1"}
object_extreme_numbers {"created_at": -7.0e+27, "updated_at": 7.0e+27}
object_long_strings {"data":[{"id":"{40*m}"}], "id":"{40*m}"}
object_simple {"data":[]}
object_string_unicode {"message":"\u0433\u0440\u0443\u0448\u0430"}
object_with_newlines {%0A"id": "m1"%0A}
string_1_2_3_bytes_UTF-8_sequences ["\u006D\u0142\u20AC"]
string_accepted_surrogate_pair ["\uD83D\udc4b"]
string_accepted_surrogate_pairs ["\ud83d\udc4b\ud83c\udffd"]
string_allowed_escapes ["\t\r\n\f\b\/\\\""]
string_backslash_and_u_escaped_zero ["m\\u0000"]
string_backslash_doublequotes ["m\"1"]
string_comments ["m/*1*/ // 2"]
string_double_escape_a ["m\\a"]
string_double_escape_n ["m\\n"]
string_escaped_control_character ["m\u001B]52;c;bTE=\u0007"]
string_escaped_noncharacter ["m\uFFFF"]
string_in_array ["hello"]
string_in_array_with_leading_space [ "hello"]
string_last_surrogates_1_and_2 ["m\uDBFF\uDFFF"]
string_nbsp_uescaped ["two\u00A0words"]
string_nonCharacterInUTF-8_U+10FFFF ["m%F4%8F%BF%BF"]
string_nonCharacterInUTF-8_U+FFFF ["m%EF%BF%BF"]
string_null_escape ["m\u0000"]
string_one-byte-utf-8 ["\u006D"]
string_pi ["π1"]
string_reservedCharacterInUTF-8_U+1BFFF ["m%F0%9B%BF%BF"]
string_simple_ascii ["hello there"]
string_space "   "
string_surrogates_U+1D11E_MUSICAL_SYMBOL_G_CLEF ["m\uD834\uDd1e"]
string_three-byte-utf-8 ["\u20AC"]
string_two-byte-utf-8 ["\u00FC"]
string_u+2028_line_sep ["two%E2%80%A8lines"]
string_u+2029_par_sep ["two%E2%80%A9lines"]
string_uEscape ["\u006d\u30c6\u30B9\u30c8"]
string_uescaped_newline ["two\u000Alines"]
string_unescaped_char_delete ["%7F%7F"]
string_unicode ["\uA7C2"]
string_unicodeEscapedBackslash ["m\u005C"]
string_unicode_2 ["手紙"]
string_unicode_U+10FFFE_nonchar ["m\uDBFF\uDFFE"]
string_unicode_U+1FFFE_nonchar ["m\uD83F\uDFFE"]
string_unicode_U+200B_ZERO_WIDTH_SPACE ["m\u200B1"]
string_unicode_U+2064_invisible_plus ["m\u20641"]
string_unicode_U+FDD0_nonchar ["m\uFDD0"]
string_unicode_U+FFFE_nonchar ["m\uFFFE"]
string_unicode_escaped_double_quote ["m\u0022"]
string_utf8 ["ü€👋"]
string_with_del_character ["m%7F1"]
structure_lonely_false false%20
structure_lonely_int 789
structure_lonely_negative_real -7.5
structure_lonely_null null%20
structure_lonely_string "m1"
structure_lonely_true true%20
structure_string_empty ""%20
structure_trailing_newline ["m1"]%0A
structure_true_in_array [true,true]
structure_whitespace_array %20["m1"]%20
`;

export const looseJson = String.raw`
number_double_huge_neg_exp [7.5e-987]
number_huge_exp [0.7e00{90*8}]
number_neg_int_huge_exp [-7e+8888]
number_pos_double_huge_exp [7.5e+8888]
number_real_neg_overflow [-789789e88888]
number_real_pos_overflow [789789e88888]
number_real_underflow [789e-8888888]
number_too_big_neg_int [-{10*789}]
number_too_big_pos_int [900719925474099301]
number_very_big_negative_int [-{24*78}]
object_key_lone_2nd_surrogate {"id\uDC4B":"m1"}
string_1st_surrogate_but_2nd_missing ["m\uD83D"]
string_1st_valid_surrogate_2nd_invalid ["\uD83D\u006D"]
string_UTF-16LE_with_BOM %FF%FE[%00"%00m%00"%00]%00
string_UTF-8_invalid_sequence ["m%E6%89%8Bь%FB"]
string_UTF8_surrogate_U+D800 ["m%ED%A0%BD"]
string_incomplete_surrogate_and_escape_valid ["\uD83D\t"]
string_incomplete_surrogate_pair ["\uDc4bm"]
string_incomplete_surrogates_escape_valid ["\uD83D\uD83D\t"]
string_invalid_lonely_surrogate ["\ud83d"]
string_invalid_surrogate ["\ud83dm1"]
string_invalid_utf-8 ["m%FE"]
string_inverted_surrogates_U+1D11E ["\uDc4b\uD83D"]
string_iso_latin_1 ["%FC"]
string_lone_second_surrogate ["m\uDC4B"]
string_lone_utf8_continuation_byte ["m%8B"]
string_not_in_unicode_range ["m%F5%80%80%80"]
string_overlong_sequence_2_bytes ["m%C1%AD"]
string_overlong_sequence_6_bytes ["%FC%84%80%80%81%AD"]
string_overlong_sequence_6_bytes_null ["m%FC%80%80%80%80%80"]
string_truncated-utf-8 ["m%E2%FE"]
string_utf16BE_no_BOM %00[%00"%00m%00"%00]
string_utf16LE_no_BOM [%00"%00m%00"%00]%00
structure_500_nested_arrays {500*[}"m1"{500*]}
structure_UTF-8_BOM_empty_object %EF%BB%BF{ }
`;

/** What concerns our own ids and limits besides: rounded numbers, prototypes, paths, depth to the end. */
export const ownJson = `
deep_and_closed {100000*[}"m1"{100000*]}
deep_objects {100000*{"id":}7{100000*%7D}
id_beyond_2^53 [9007199254740993]
id_below_-2^53 [-9007199254740993]
id_beyond_2^53_with_fraction [9007199254740993.0]
id_rounded_below_2^53 [9007199254740990.7]
id_rounded_to_small [7.0000000000000000001]
id_rounded_to_zero [7e-400]
id_infinite [1e400]
id_twice {"id":"m1","id":9007199254740993}
id_empty [""]
id_dots [".."]
id_dot ["."]
id_path ["m1/../m3"]
id_path_up ["../conversations/c1"]
id_encoded_path ["m1%252F..%252Fm3"]
id_encoded_dots ["%252e%252e"]
id_query ["m3?x=y"]
id_hash ["m3%23"]
id_long ["{1025*m}"]
proto {"__proto__":{"polluted":true,"id":"m3"}}
proto_array {"__proto__":[{"polluted":true}],"x":1}
constructor {"constructor":{"prototype":{"polluted":true}}}
to_json {"toJSON":"m3","then":"m3","valueOf":7,"length":-1}
`;
