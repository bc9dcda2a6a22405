/**
 * What no JSON reader may take: our own writing of each case that JSONTestSuite (Nicolas Seriot, "Parsing JSON is a
 * Minefield") names `n_`. A line is a name and the bytes; `%41` is a byte, `{100000*[}` a repetition.
 */
export const refusedJson = String.raw`
array_1_true_without_comma ["m1" false]
array_a_invalid_utf8 [m%E5]
array_colon_instead_of_comma ["m1": 2]
array_comma_after_close ["m1"],
array_comma_and_number [,17]
array_double_comma ["m1",,"m2"]
array_double_extra_comma ["m1",,]
array_extra_close ["m1"]]
array_extra_comma ["m1",]
array_incomplete ["m1"
array_incomplete_invalid_value [m
array_inner_array_no_comma [7["m1"]]
array_invalid_utf8 [%FE]
array_items_separated_by_semicolon ["m1";"m2"]
array_just_comma [ , ]
array_just_minus ["m1",-]
array_missing_value [ , "m1"]
array_newlines_unclosed ["m1",%0A7%0A,8,
array_number_and_comma [17,]
array_number_and_several_commas [17,,,]
array_spaces_vertical_tab_formfeed ["m%0B1"\f]
array_star_inside ["m1",*]
array_unclosed ["m1"%20
array_unclosed_trailing_comma [17,
array_unclosed_with_new_lines [7,%0A8%0A,9
array_unclosed_with_object_inside [{"id":"m1"}
incomplete_false [{"is_muted":fals}]
incomplete_null [{"read_at":nul}]
incomplete_true [{"is_pinned":tru}]
multidigit_number_then_00 907%00
number_++ [++17]
number_+1 [+7]
number_+Inf [+Inf,7]
number_-01 [-07]
number_-1.0. [-7.5.]
number_-2. [-7.]
number_-NaN [7,-NaN]
number_.-1 [.-7]
number_.2e-3 [.7e-2]
number_0.1.2 [0.7.8]
number_0.3e+ [0.7e+]
number_0.3e [0.7e]
number_0.e1 [0.e7]
number_0_capital_E+ [7,0E+]
number_0_capital_E [7,0E]
number_0e+ [7,0e+]
number_0e [7,0e]
number_1.0e+ [7.0e+]
number_1.0e- [7.0e-]
number_1.0e [7.0e]
number_1_000 [7 500.0]
number_1eE2 [7eE3]
number_2.e+3 [7.e+2]
number_2.e-3 [7.e-2]
number_2.e3 [7.e2]
number_9.e+ [7.e+]
number_Inf [7,Inf]
number_NaN [7,NaN]
number_U+FF11_fullwidth_digit_one [７]
number_expression [7+8]
number_hex_1_digit [0x7]
number_hex_2_digits [0xA7]
number_infinity [7,Infinity]
number_invalid+- [7e+-8]
number_invalid-negative-real [-7.25words]
number_invalid-utf-8-in-bigger-int [789%E5]
number_invalid-utf-8-in-exponent [7e8%E5]
number_invalid-utf-8-in-int [7%E5]
number_minus_infinity [7,-Infinity]
number_minus_sign_with_trailing_garbage [-words]
number_minus_space_1 [- 7]
number_neg_int_starting_with_zero [-078]
number_neg_real_without_int_part [-.75]
number_neg_with_garbage_at_end [-7z]
number_real_garbage_after_e [7ez]
number_real_with_invalid_utf8_after_e [7e%E5]
number_real_without_fractional_part [7.]
number_starting_with_dot [.75]
number_with_alpha [7.5b-2]
number_with_alpha_char [9.007199254740993H-15]
number_with_leading_zero [078]
object_bad_value ["id", truly]
object_bracket_key {[: "m1"}
object_comma_instead_of_colon {"id", "m1"}
object_double_colon {"id"::"m1"}
object_emoji {👩‍🚀}
object_garbage_at_end {"id":"m1" 17}
object_key_with_single_quotes {'id': "m1"}
object_lone_continuation_byte_in_key_and_trailing_comma {"id%B7":"m1",}
object_missing_colon {"id" m1}
object_missing_key {:"m1"}
object_missing_semicolon {"id" "m1"}
object_missing_value {"id":
object_no-colon {"id"
object_non_string_key {7:"m1"}
object_non_string_key_but_huge_number_instead {7777E7777:"m1"}
object_repeated_null_null {null:"m1",null:"m2"}
object_several_trailing_commas {"id":"m1",,,,}
object_single_quote {'id':'m1'}
object_trailing_comma {"id":"m1",}
object_trailing_comment {"id":"m1"}/*end*/
object_trailing_comment_open {"id":"m1"}/*end*//
object_trailing_comment_slash_open {"id":"m1"}// end
object_trailing_comment_slash_open_incomplete {"id":"m1"} /
object_two_commas_in_a_row {"id":"m1",,"message":"hello"}
object_unquoted_key {id:"m1"}
object_unterminated-value {"id":"m1
object_with_single_string {"id":"m1", "message"}
object_with_trailing_garbage {"id":"m1"}%23
single_space %20
string_1_surrogate_then_escape ["\uD83D\"]
string_1_surrogate_then_escape_u ["\uD83D\u"]
string_1_surrogate_then_escape_u1 ["\uD83D\uD"]
string_1_surrogate_then_escape_u1x ["\uD83D\uDz"]
string_accentuated_char_no_quotes [ü]
string_backslash_00 ["m\%00"]
string_escape_x ["\x6d1"]
string_escaped_backslash_bad ["m1\\\"]
string_escaped_ctrl_char_tab ["m\%091"]
string_escaped_emoji ["\👋"]
string_incomplete_escape ["m1\"]
string_incomplete_escaped_character ["\u006"]
string_incomplete_surrogate ["\uD83D\uDC4"]
string_incomplete_surrogate_escape_invalid ["\uD83D\uD83D\q"]
string_invalid-utf-8-in-escape ["\u00%E5"]
string_invalid_backslash_esc ["\m1"]
string_invalid_unicode_escape ["\u00zz"]
string_invalid_utf8_after_escape ["m1\%E5"]
string_leading_uescaped_thinspace [\u2009"m1"]
string_no_quotes_with_bad_escape [\t]
string_single_doublequote "
string_single_quote ['m1']
string_single_string_no_double_quotes words
string_start_escape_unclosed ["m1\
string_unescaped_ctrl_char ["m%001"]
string_unescaped_newline ["two%0Alines"]
string_unescaped_tab ["m%091"]
string_unicode_CapitalU ["\U0041"]
string_with_trailing_garbage "m1"z
structure_100000_opening_arrays {100000*[}
structure_U+2060_word_joined ["m1"%E2%81%A0]
structure_UTF8_BOM_no_data %EF%BB%BF
structure_angle_bracket_. <7>
structure_angle_bracket_null [<"m1">]
structure_array_trailing_garbage ["m1"]z
structure_array_with_extra_array_close [7]]]
structure_array_with_unclosed_string ["m1]
structure_ascii-unicode-identifier mü
structure_capitalized_True [False]
structure_close_unopened_array "m1"]
structure_comma_instead_of_closing_brace {"is_muted": true,
structure_double_array ["m1"]["m2"]
structure_end_array ]%0A
structure_incomplete_UTF8_BOM %EF%BB{"id":"m1"}
structure_lone-invalid-utf-8 %F9
structure_lone-open-bracket [%20
structure_no_data
structure_null-byte-outside-string ["m1"%00]
structure_number_with_trailing_garbage 7@
structure_object_followed_by_closing_object {"id":"m1"}}
structure_object_unclosed_no_value {"id": "m1", "message":
structure_object_with_comment {"id":/*which*/"m1"}
structure_object_with_trailing_garbage {"id": "m1"} "m2"
structure_open_array_apostrophe ['m1
structure_open_array_comma [,"m1"
structure_open_array_object {50000*[{"data":}
structure_open_array_open_object [{"id"
structure_open_array_open_string ["m
structure_open_array_string ["m1","m2"
structure_open_object {%20
structure_open_object_close_array {"id":"m1"]
structure_open_object_comma {,"id":"m1"}
structure_open_object_open_array {["m1"]
structure_open_object_open_string {"i
structure_open_object_string_with_apostrophes {'id'
structure_open_open {7*["\{}
structure_single_eacute %FC
structure_single_star **
structure_trailing_# {"id":"m1"}%23{"id":"m2"}
structure_uescaped_LF_before_string [\u000A"m1"]
structure_unclosed_array [7
structure_unclosed_array_partial_null [true, nul
structure_unclosed_array_unfinished_false [null, fals
structure_unclosed_array_unfinished_true [null, tru
structure_unclosed_object {"id":"m1"
structure_unicode-identifier ü
structure_whitespace_U+2060_word_joiner [%E2%81%A0"m1"]
structure_whitespace_formfeed ["m1",%0C"m2"]
`;
